<?php

/**
 * Payment links and signed events of Paywindow, for a shop in PHP 8.1 or later. Copy this file: it
 * needs no extension that can be left out of PHP.
 */

declare(strict_types=1);

namespace Paywindow;

const MOST_BODY_BYTES = 1_048_576;
const TOLERANCE_S = 300;
const LONGEST_LINK_S = 366 * 86_400;

/**
 * Controls, ends of lines, and characters that nobody sees or that turn the direction of others: Cc,
 * Cf, Zl, Zp and default ignorable in Unicode 17. Joiners may follow what is not ASCII.
 */
const UNSEEN = '/[\x00-\x1f\x7f-\x{9f}\x{ad}\x{34f}\x{600}-\x{605}\x{61c}\x{6dd}\x{70f}'
    . '\x{890}-\x{891}\x{8e2}\x{115f}-\x{1160}\x{17b4}-\x{17b5}\x{180b}-\x{180f}\x{200b}'
    . '\x{200e}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{3164}\x{fe00}-\x{fe0e}'
    . '\x{feff}\x{ffa0}\x{fff0}-\x{fffb}\x{110bd}\x{110cd}\x{13430}-\x{1343f}'
    . '\x{1bca0}-\x{1bca3}\x{1d173}-\x{1d17a}\x{e0000}-\x{e0fff}]'
    . '|(?:^|[\x00-\x7f])[\x{200c}\x{200d}\x{fe0f}]/u';
/** The path has the characters of RFC 3986, and the host no user before it: shop.example@elsewhere. */
const ADDRESS = '~\Ahttps://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][!#-;=?-\[\]_a-z\~]*)?\z~';
const PAGE = '~\A(?:https://[A-Za-z0-9.-]+|http://(?:localhost|127\.0\.0\.1))(?::[0-9]{1,5})?/'
    . '(?:[!$-;=@-\[\]_a-z\~]*/)?pay/?\z~';
const AMOUNT = '/\A(?=.*[1-9])(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?\z/';

/** An event that is not to be believed: answer 400. The message is the reason. */
final class InvalidEvent extends \RuntimeException
{
}

/**
 * The address where an order is paid.
 *
 * @param string $page `page.url` of the payment server: https://pay.shop.example/paywindow/pay
 * @param string|false|null $secret its `linkSecret`
 * @param string $order your name for the order, which events repeat
 * @param int $expiresAt when the link ends, in seconds since 1970
 * @param string|null $amount with $asset the price, as text: '49.90' and 'EUR'. Neither, if your
 *   `offer` knows it. Not declared as a string: PHP would make one of a float, and 49.90 is 49.9
 * @param string|null $number what people call the order
 * @param string|null $returnUrl where the payer goes afterwards
 * @param int|null $now for tests
 * @throws \InvalidArgumentException which says what to do
 */
function paymentLink(
    string $page,
    #[\SensitiveParameter] string|false|null $secret,
    string $order,
    int $expiresAt,
    mixed $amount = null,
    ?string $asset = null,
    ?string $number = null,
    ?string $returnUrl = null,
    ?int $now = null,
): string {
    $now ??= time();
    if (!isText($page, 2000) || !preg_match(PAGE, $page)) {
        throw new \InvalidArgumentException(
            'page must be page.url of the payment server: https://pay.shop.example/paywindow/pay'
        );
    }
    if (!is_string($secret) || length($secret) < 32) {
        throw new \InvalidArgumentException(
            'secret must be linkSecret of the payment server, 32 characters or more: openssl rand -hex 32'
        );
    }
    if (!isText($order, 200)) {
        throw new \InvalidArgumentException('order must be text of 1 to 200 characters that can be seen');
    }
    if ($expiresAt <= $now || $expiresAt > $now + LONGEST_LINK_S) {
        throw new \InvalidArgumentException('exp must be in the next 366 days, in seconds since 1970');
    }
    $claims = ['order' => $order, 'exp' => $expiresAt];
    if ($amount !== null || $asset !== null) {
        if ($amount === null || $asset === null) {
            throw new \InvalidArgumentException('amount and asset belong together: give both, or neither');
        }
        if (!is_string($amount) || !preg_match(AMOUNT, $amount)) {
            throw new \InvalidArgumentException(
                "amount must be text above zero such as '49.90', no float, sign, comma or exponent"
            );
        }
        if (!isText($asset, 32)) {
            throw new \InvalidArgumentException("asset must be text of 1 to 32 characters such as 'EUR'");
        }
        $claims += ['amount' => $amount, 'asset' => $asset];
    }
    if ($number !== null) {
        if (!isText($number, 64)) {
            throw new \InvalidArgumentException('number must be text of 1 to 64 characters that can be seen');
        }
        $claims['number'] = $number;
    }
    if ($returnUrl !== null) {
        if (!isText($returnUrl, 1000) || !preg_match(ADDRESS, $returnUrl)) {
            throw new \InvalidArgumentException(
                'returnUrl must be an https address of at most 1000 characters, percent-encoded'
            );
        }
        $claims['returnUrl'] = $returnUrl;
    }
    $payload = base64url(json_encode($claims, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR));
    return "$page?link=$payload." . linkSignature($payload, $secret);
}

/** The part of a link's token behind the dot. */
function linkSignature(string $payload, #[\SensitiveParameter] string $secret): string
{
    return base64url(hash_hmac('sha256', $payload, $secret, true));
}

/**
 * The event of a request to your endpoint of events. An event can come twice: store its header
 * webhook-id with what it causes.
 *
 * @param string $body the raw body, file_get_contents('php://input'). What was parsed and written
 *   again has another signature
 * @param array<mixed> $headers of the request, in any spelling, each a text or a list, or `$_SERVER`
 * @param string|list<string> $secrets whsec_…; two while one is changed
 * @param int|null $now seconds since 1970, for tests
 * @return array<string, mixed>
 * @throws InvalidEvent
 * @throws \InvalidArgumentException for a secret that is none
 */
function verifyEvent(
    string $body,
    array $headers,
    #[\SensitiveParameter] string|array $secrets,
    ?int $now = null,
): array {
    $keys = array_map(eventKey(...), (array) $secrets);
    if ($keys === []) {
        throw wrongSecret();
    }
    $now ??= time();
    if (strlen($body) > MOST_BODY_BYTES) {
        throw new InvalidEvent('the body is larger than 1 MiB');
    }
    $id = headerOf($headers, 'webhook-id');
    $timestamp = headerOf($headers, 'webhook-timestamp');
    $signatures = headerOf($headers, 'webhook-signature');
    if (!preg_match('/\A[0-9]{1,10}\z/', $timestamp)) {
        throw new InvalidEvent('webhook-timestamp is no time in seconds');
    }
    if ((int) $timestamp < $now - TOLERANCE_S) {
        throw new InvalidEvent('webhook-timestamp is more than 5 minutes ago');
    }
    if ((int) $timestamp > $now + TOLERANCE_S) {
        throw new InvalidEvent('webhook-timestamp is more than 5 minutes ahead');
    }
    if (!isSigned("$id.$timestamp.$body", explode(' ', $signatures), $keys)) {
        throw new InvalidEvent('webhook-signature matches no secret: it is another, or the body was changed');
    }
    $event = json_decode($body, true);
    // As an array, an empty object is an empty list.
    if (!is_array($event) || !str_starts_with(ltrim($body), '{')) {
        throw new InvalidEvent('the body is no JSON object');
    }
    return $event;
}

/**
 * @param list<string> $signatures
 * @param list<string> $keys
 */
function isSigned(string $signed, array $signatures, #[\SensitiveParameter] array $keys): bool
{
    foreach ($keys as $key) {
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
        foreach ($signatures as $signature) {
            // Not ==, which takes time for each equal character, and reads numbers in texts.
            if (hash_equals($expected, $signature)) {
                return true;
            }
        }
    }
    return false;
}

/** @param array<mixed> $headers */
function headerOf(array $headers, string $name): string
{
    $values = [];
    foreach ($headers as $key => $value) {
        // $_SERVER calls webhook-id HTTP_WEBHOOK_ID.
        if (in_array(strtolower(str_replace('_', '-', (string) $key)), [$name, "http-$name"], true)) {
            array_push($values, ...array_values((array) $value));
        }
    }
    if (count($values) > 1) {
        throw new InvalidEvent("$name is there twice");
    }
    $value = $values[0] ?? '';
    if (!is_string($value) || $value === '') {
        throw new InvalidEvent("$name is missing");
    }
    return $value;
}

function eventKey(#[\SensitiveParameter] mixed $secret): string
{
    if (!is_string($secret) || !str_starts_with($secret, 'whsec_')) {
        throw wrongSecret();
    }
    $text = substr($secret, strlen('whsec_'));
    $key = base64_decode($text, true);
    // Without padding, or with stray bits, it may be cut off.
    if ($key === false || base64_encode($key) !== $text || strlen($key) < 24 || strlen($key) > 64) {
        throw wrongSecret();
    }
    return $key;
}

function wrongSecret(): \InvalidArgumentException
{
    return new \InvalidArgumentException(
        'secrets must be one or more of whsec_ and base64 of 24 to 64 bytes, as the payment server has them'
    );
}

function isText(string $text, int $most): bool
{
    $length = length($text);
    return $length >= 1 && $length <= $most && !preg_match(UNSEEN, $text);
}

/** Counts as the payment server does, in UTF-16; 0 for what is not UTF-8. */
function length(string $text): int
{
    return (int) preg_match_all('/./su', $text) + (int) preg_match_all('/[\x{10000}-\x{10ffff}]/u', $text);
}

function base64url(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}
