<?php

// A shop in PHP: php -S localhost:3001 shop.php

declare(strict_types=1);

require __DIR__ . '/paywindow.php';

// Your database. A total is text, as a column DECIMAL gives it.
const ORDERS = ['order-7' => ['number' => '2026-0007', 'total' => '49.90']];
// Your table of events. Here it is a file with a line for each.
define('EVENTS', getenv('EVENTS_FILE') ?: __DIR__ . '/events.jsonl');
// Whether this is a test shop: no money has moved for an event with test, and a live shop sends nothing for it.
define('IS_TEST', getenv('PAYWINDOW_TEST') === 'yes');

// The status of an order, by the newest event of each of its payments. The first that fits counts.
const STATUSES = [
    'paid' => ['paid', 'paid_twice'],
    'stopped' => ['taken_back'],
    'held' => ['seen', 'short', 'over', 'late', 'wrong_price'],
    'cancelled' => ['lapsed'],
    'open' => ['ended', 'returned', 'test'],
];

/** An order as its customer's pages and mails name it: anybody can guess order-7, and nobody else can sign it. */
function signed(string $id): string
{
    $secret = (string) getenv('ORDER_SECRET');
    if (trim($secret) === '') { // With an empty one, everybody could sign.
        throw new RuntimeException('ORDER_SECRET is not set: make it with openssl rand -hex 32');
    }
    return "$id." . Paywindow\linkSignature($id, $secret);
}

/** Where an order is paid. */
function paymentLink(string $id): string
{
    return Paywindow\paymentLink(
        page: (string) getenv('PAYWINDOW_PAGE'), // https://pay.shop.example/paywindow/pay
        secret: getenv('PAYWINDOW_LINK_SECRET'),
        order: $id,
        expiresAt: time() + 7 * 86_400,
        amount: ORDERS[$id]['total'],
        asset: 'EUR',
        number: ORDERS[$id]['number'],
        returnUrl: 'https://shop.example/orders/' . signed($id),
    );
}

/** Takes an event of the payment server. */
function takeEvent(): void
{
    http_response_code(500); // Until it is stored: PHP can answer 200 after an error.
    try {
        $secrets = explode(' ', (string) getenv('PAYWINDOW_EVENT_SECRETS'));
        $event = Paywindow\verifyEvent(file_get_contents('php://input'), $_SERVER, $secrets);
    } catch (Paywindow\InvalidEvent $reason) {
        http_response_code(400);
        exit($reason->getMessage());
    }
    if (!isset(ORDERS[$event['data']['order']])) {
        http_response_code(404);
        exit('There is no such order.');
    }
    record($event);
    if (isRefused($event)) {
        error_log("TEST, no money has moved for {$event['data']['order']}: this shop is live, and does nothing.");
    }
    http_response_code(204);
}

function isRefused(array $event): bool
{
    return ($event['data']['test'] ?? false) && !IS_TEST;
}

/** Yours: stores an event. It can come twice, which changes nothing. */
function record(array $event): void
{
    // The end of the line comes first, so that half a line of a crash spoils no other.
    $line = "\n" . json_encode($event);
    $file = fopen(EVENTS, 'a');
    if (!$file || fwrite($file, $line) !== strlen($line) || !fsync($file)) {
        throw new RuntimeException('The event was not stored.');
    }
}

/** What the newest event of each payment of an order says. */
function payments(string $id): array
{
    $newest = [];
    foreach (is_file(EVENTS) ? file(EVENTS) : [] as $line) {
        $event = json_decode($line, true);
        if (($event['data']['order'] ?? '') !== $id) {
            continue; // Of another order, or half a line of a crash: its event comes again.
        }
        ['checkout' => $checkout, 'at' => $at, 'price' => $price] = $event['data'];
        $kind = isRefused($event) ? 'test' : substr($event['type'], strlen('payment.'));
        if (in_array($kind, STATUSES['paid']) && [$price['asset'], $price['amount']] !== ['EUR', ORDERS[$id]['total']]) {
            $kind = 'wrong_price';
        }
        [$lastAt, $last] = $newest[$checkout] ?? ['', ''];
        // What was taken back stays so until it is paid again.
        $isNext = $last !== 'taken_back' || in_array($kind, STATUSES['paid']);
        // A lapse is told beside the news of a payment, perhaps by a server whose clock is ahead.
        $isNew = $at > $lastAt || ($at === $lastAt && $last !== 'lapsed');
        if (in_array($kind, array_merge(...array_values(STATUSES))) && $isNew && $isNext) {
            $newest[$checkout] = [$kind === 'lapsed' ? $lastAt : $at, $kind];
        }
    }
    $kinds = array_column($newest, 1);
    sort($kinds);
    return $kinds;
}

/** What to do: see STATUSES. */
function status(array $kinds): string
{
    foreach (STATUSES as $status => $causes) {
        if (array_intersect($kinds, $causes)) {
            return $status;
        }
    }
    return 'open';
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($_SERVER['REQUEST_METHOD'] === 'POST' && $path === '/events') {
    takeEvent();
} elseif (
    !preg_match('~\A/orders/(([\w-]+)\.[\w-]+)(/pay)?\z~', (string) $path, $match)
    || !isset(ORDERS[$match[2]])
    || !hash_equals(signed($match[2]), $match[1])
) {
    http_response_code(404);
} elseif (isset($match[3])) {
    header('location: ' . paymentLink($match[2]), true, 303);
} else {
    $kinds = payments($match[2]);
    header('content-type: application/json');
    echo json_encode(['status' => status($kinds), 'payments' => $kinds]);
}
