<?php

/**
 * What an event of a payment does to the order of a shop: the part that plug-ins for shops in PHP
 * share. A plug-in turns the state into what its platform knows.
 */

declare(strict_types=1);

namespace Paywindow;

/** Longer than an event takes, and shorter than the payment server waits for the answer. */
const LOCK_S = 10;
const REFUSED_TEST = 'NOTHING IS DONE: this shop is live, and takes no test payments.';
const UNKNOWN = 'This version of the plug-in does not know that event.';

/** What becomes of an order. Nothing here says how a platform calls it. */
enum State
{
    /** A deposit is on its way: keep the goods for this payer. */
    case Seen;
    /** Send the goods. */
    case Paid;
    /** A person has to look. Send nothing. */
    case Review;
    /** It was paid, or seen, and is not any more. Send nothing more: a person has to look. */
    case TakenBack;
    /** Nobody pays. The goods are for others. */
    case Cancelled;
}

/** Where an order stands in the shop. */
enum Stage
{
    /** It can be paid. */
    case Open;
    /** It can be paid, and its goods are for others. */
    case Cancelled;
    /** It is paid, or more than that. */
    case Paid;
    /** It was refunded, or a person has closed it. */
    case Closed;
}

/** What an event does to an order. Null: it stays as it is. */
final class Change
{
    /** @param array<string, mixed> $known what to hand over with the next event of this order */
    public function __construct(
        public readonly ?State $state,
        public readonly string $note,
        public readonly array $known,
        /** Whether a live shop was told of a test payment: also say it in the log. */
        public readonly bool $isRefusedTest = false,
    ) {
    }
}

/**
 * Decides. It changes nothing, and asks nobody.
 *
 * @param array<string, mixed> $event that verifyEvent has returned
 * @param array<string, mixed> $known of the last event of this order; empty before the first
 * @param string $amount the total of the order now, as text, as paymentLink got it
 * @param string $asset its currency
 * @param bool $takesTests whether this is a test shop
 */
function changeOf(array $event, array $known, Stage $stage, string $amount, string $asset, bool $takesTests): Change
{
    $type = substr(textOf($event, 'type'), strlen('payment.'));
    $data = is_array($event['data'] ?? null) ? $event['data'] : throw new InvalidEvent('the event has no data');
    $checkout = textOf($data, 'checkout');
    $at = textOf($data, 'at');
    $known += ['payer' => null, 'at' => [], 'live' => [], 'held' => false, 'cancelled' => false];
    $told = sentenceOf($type, $data);
    if (isTest($data) && !$takesTests) {
        return new Change(null, "$told " . REFUSED_TEST, $known, isRefusedTest: true);
    }
    if (strcmp($at, $known['at'][$checkout] ?? '') < 0) {
        return new Change(null, "$told This came late, and changes nothing.", $known);
    }
    // A lapse is told beside the events of its checkout, perhaps by a server whose clock is ahead.
    if ($type !== 'lapsed') {
        $known['at'][$checkout] = $at;
    }
    $isLive = in_array($type, ['seen', 'short', 'over', 'late'], true) || ($data['phase'] ?? '') === 'seen';
    // An order that lapses has no deposit on its way, whatever was told of it before.
    $known['live'] = array_values(array_filter($known['live'], static fn (string $other): bool => $other !== $checkout
        && ($type !== 'lapsed' || strcmp($known['at'][$other], $at) > 0)));
    if ($isLive && $known['payer'] !== $checkout) {
        $known['live'][] = $checkout;
    }
    $known['cancelled'] = $known['cancelled'] || $stage === Stage::Cancelled;
    [$state, $more] = stateOf($type, $data, $known, $stage, [$amount, $asset]);
    if ($known['cancelled'] && in_array($state, [State::Seen, State::Paid, State::Review], true)) {
        $more = "ATTENTION: the order was cancelled before. Check that its goods are still there. $more";
    }
    if ($state === State::Paid) {
        [$known['payer'], $known['held']] = [$checkout, false];
    } elseif ($state === State::TakenBack) {
        // What was paid may have been sent: only a person cancels it.
        [$known['payer'], $known['held']] = [null, $known['held'] || $known['payer'] !== null];
    } elseif ($state === State::Review && in_array($type, ['paid', 'paid_twice'], true)) {
        $known['held'] = true;
    }
    return new Change($state, trim("$told $more"), $known);
}

/**
 * @param array<string, mixed> $data
 * @param array{payer: ?string, live: list<string>, held: bool, cancelled: bool} $known
 * @param array{string, string} $total
 * @return array{?State, string} with words for the people of the shop
 */
function stateOf(string $type, array $data, array $known, Stage $stage, array $total): array
{
    ['payer' => $payer, 'live' => $live, 'held' => $isHeld, 'cancelled' => $wasCancelled] = $known;
    $isPaidNow = in_array($type, ['paid', 'paid_twice'], true);
    if ($payer !== null && $payer !== $data['checkout']) {
        return [null, $isPaidNow
            ? "PAID TWICE: checkout $payer has paid this order already. Send once, and refund this one."
            : "The order is paid by checkout $payer, and stays so."];
    }
    if ($payer !== null) {
        return match (true) {
            $type === 'paid_twice' => [null, 'PAID TWICE: send once, and refund the others.'],
            in_array($type, ['paid', 'over', 'lapsed'], true) => [null, 'The order is paid, and stays so.'],
            !in_array($type, ['seen', 'short', 'late', 'ended', 'returned', 'taken_back'], true) => [null, UNKNOWN],
            $stage === Stage::Closed => [null, 'The order is closed, and stays so.'],
            default => [State::TakenBack, 'STOP: this order was paid, and is not any more. Send nothing more.'],
        };
    }
    if ($stage === Stage::Paid || $stage === Stage::Closed) {
        return [null, 'ATTENTION: the order was completed or closed by hand, and stays as it is.'];
    }
    $price = $data['price'] ?? [];
    $isPrice = ($price['amount'] ?? null) === $total[0] && ($price['asset'] ?? null) === $total[1];
    return match ($type) {
        'seen' => [State::Seen, 'Keep the goods, and send nothing yet.'],
        'paid' => $isPrice ? [State::Paid, ''] : [State::Review, wrongPrice($total)],
        'paid_twice' => $isPrice
            ? [State::Paid, 'PAID TWICE: send once, and refund the others.']
            : [State::Review, wrongPrice($total)],
        'short' => [State::Review, 'Send nothing yet. ' . whatFollows($data, 'asks the payer for the rest, or sends it back')],
        'over' => [State::Review, 'Send nothing yet. ' . whatFollows($data, 'sends back what is over')],
        'late' => [State::Review, 'Send nothing yet. ' . whatFollows($data, 'accepts it, or sends it back')],
        'taken_back' => [State::TakenBack, 'STOP: what was told before does not hold. Send nothing.'],
        'returned', 'ended', 'lapsed' => match (true) {
            $isHeld => [null, 'A person has to look at this order first.'],
            $live !== [] => [null, 'A payment of the order goes on.'],
            // A cart lapses once, and a deposit after that opens the order again.
            $type === 'lapsed' || $wasCancelled => [State::Cancelled, 'Nobody has paid.'],
            default => [null, 'The payer can begin another payment.'],
        },
        default => [null, UNKNOWN],
    };
}

/** @param array{string, string} $total */
function wrongPrice(array $total): string
{
    return "WRONG PRICE: the order is $total[0] $total[1] now. Send what was paid for, or refund it.";
}

/** @param array<string, mixed> $data */
function whatFollows(array $data, string $byItself): string
{
    return ($data['phase'] ?? '') === 'seen' ? "The service $byItself." : 'A person has to decide.';
}

/** @param array<string, mixed> $data */
function sentenceOf(string $type, array $data): string
{
    $of = static fn (mixed $price): ?string => is_array($price) && is_string($price['amount'] ?? null)
        ? $price['amount'] . ' ' . ($price['asset'] ?? '')
        : null;
    $received = is_array($data['received'] ?? null) ? $data['received'] : [];
    $parts = [
        $of($data['price'] ?? null) . ' asked for',
        ($sent = $of($received['deposit'] ?? null)) ? "$sent sent" : null,
        ($got = $of($received['price'] ?? null)) ? "$got received" : null,
        "checkout {$data['checkout']}",
        ($others = (array) ($data['also_paid'] ?? [])) ? 'also paid: ' . implode(', ', $others) : null,
    ];
    $test = isTest($data) ? 'TEST, no money has moved. ' : '';
    return "{$test}Paywindow: $type (" . implode(', ', array_filter($parts)) . ').';
}

/** @param array<string, mixed> $data */
function isTest(array $data): bool
{
    return ($data['test'] ?? false) === true;
}

/** @param array<mixed> $from */
function textOf(array $from, string $name): string
{
    $text = $from[$name] ?? null;
    return is_string($text) && $text !== '' ? $text : throw new InvalidEvent("the event has no $name");
}

/**
 * Does the work of an event once, however often and wherever it arrives: in one transaction with
 * the event's id, one event of an order at a time. What throws is undone, and the event comes again.
 *
 * @param callable(string): ?string $ask runs a statement of MySQL or MariaDB, and returns the first
 *   value of its first row. Throws if the database does
 * @param string $table for the ids, with the shop's prefix; it is created
 * @param callable(array<string, mixed>): array<string, mixed> $work gets what the event before this
 *   one has returned
 */
function doOnce(callable $ask, string $table, string $order, string $eventId, callable $work): void
{
    // Hashes need no quoting.
    [$order, $id] = [sha1($order), sha1($eventId)];
    $lock = 'paywindow-' . sha1("$table $order " . $ask('SELECT DATABASE()'));
    $ask("CREATE TABLE IF NOT EXISTS `$table` (seq BIGINT AUTO_INCREMENT PRIMARY KEY, id CHAR(40) NOT NULL UNIQUE,
        of_order CHAR(40) NOT NULL, known BLOB NOT NULL, KEY of_order (of_order)) ENGINE=InnoDB");
    if ($ask("SELECT GET_LOCK('$lock', " . LOCK_S . ')') !== '1') {
        throw new \RuntimeException('another event of this order is being worked on');
    }
    try {
        $ask('START TRANSACTION');
        // Empty: begun, and not done.
        $done = "`$table` WHERE known <> ''";
        if ($ask("SELECT COUNT(*) FROM $done AND id = '$id'") === '0') {
            $known = $ask("SELECT known FROM $done AND of_order = '$order' ORDER BY seq DESC LIMIT 1");
            $ask("REPLACE INTO `$table` SET id = '$id', of_order = '$order', known = ''");
            $known = $work($known === null ? [] : json_decode($known, true, 512, JSON_THROW_ON_ERROR));
            $hex = bin2hex(json_encode($known, JSON_THROW_ON_ERROR));
            $ask("UPDATE `$table` SET known = x'$hex' WHERE id = '$id'");
            // The database has undone all with a deadlock, or a lost connection, and the platform went on.
            if ($ask("SELECT COUNT(*) FROM $done AND id = '$id'") !== '1') {
                throw new \RuntimeException('the database has undone the transaction');
            }
        }
        $ask('COMMIT');
    } catch (\Throwable $error) {
        $ask('ROLLBACK');
        throw $error;
    } finally {
        $ask("SELECT RELEASE_LOCK('$lock')");
    }
}
