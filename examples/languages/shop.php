<?php

// A shop in PHP: php -S localhost:3001 shop.php

declare(strict_types=1);

require __DIR__ . '/paywindow.php';

// Your database. A total is text, as a column DECIMAL gives it.
const ORDERS = ['order-7' => ['number' => '2026-0007', 'total' => '49.90']];

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
        returnUrl: "https://shop.example/orders/$id",
    );
}

/** Takes an event of the payment server. */
function takeEvent(): void
{
    try {
        $secrets = explode(' ', (string) getenv('PAYWINDOW_EVENT_SECRETS'));
        $event = Paywindow\verifyEvent(file_get_contents('php://input'), $_SERVER, $secrets);
    } catch (Paywindow\InvalidEvent $reason) {
        http_response_code(400);
        exit($reason->getMessage());
    }
    record($_SERVER['HTTP_WEBHOOK_ID'], $event);
    http_response_code(204);
}

/** Yours: stores the id with what the event causes, in one transaction. An event can come twice. */
function record(string $eventId, array $event): void
{
    file_put_contents('php://stdout', "$eventId {$event['type']} {$event['data']['order']}\n");
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($_SERVER['REQUEST_METHOD'] === 'POST' && $path === '/events') {
    takeEvent();
} elseif (preg_match('~\A/orders/([\w-]+)/pay\z~', (string) $path, $match) && isset(ORDERS[$match[1]])) {
    header('location: ' . paymentLink($match[1]), true, 303);
} else {
    http_response_code(404);
}
