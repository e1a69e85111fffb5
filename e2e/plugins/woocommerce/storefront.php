<?php

// The least shop: one book, one button, and what WooCommerce says of an order. A must-use plug-in,
// which calls nothing but WooCommerce's own functions.

add_filter('woocommerce_currency', fn () => 'EUR');

// As plug-ins for several currencies do, for the currency of a visitor.
add_filter('wc_get_price_decimals', fn ($decimals) => $_GET['decimals'] ?? $decimals);

add_action('init', fn () => register_post_status('wc-packing'));
add_filter('wc_order_statuses', fn ($statuses) => $statuses + ['wc-packing' => 'Packing']);

// As plug-ins for e-mail do, whose server is away.
foreach (['order_status_processing' => 'before', 'payment_complete' => 'after'] as $hook => $when) {
    add_action("woocommerce_$hook", function () use ($when): void {
        if (@unlink(WP_CONTENT_DIR . "/mail-$when")) {
            throw new Exception('no e-mail can be sent');
        }
    }, 20);
}

// In the middle of an event, once, when a test has asked for it.
add_action('woocommerce_payment_complete', function (): void {
    $asked = fn (string $what): bool => @unlink(WP_CONTENT_DIR . "/$what");
    match (true) {
        $asked('die') => posix_kill(getmypid(), SIGKILL),
        $asked('exit') => exit,
        // As a database does after a deadlock. WordPress goes on.
        $asked('undo') => $GLOBALS['wpdb']->query('ROLLBACK'),
        default => null,
    };
}, 999);

add_action('wp_loaded', function (): void {
    $act = $_GET['storefront'] ?? null;
    match ($act) {
        null => null,
        'shop' => print '<form method="post" action="?storefront=checkout"><button>Buy the book</button></form>',
        'checkout' => wp_redirect(checkout()['redirect']),
        'order' => print json_encode(order((int) $_GET['id'])),
        'blocks' => print json_encode(blocks()),
        'change' => wc_get_order((int) $_GET['id'])->update_status($_GET['status']),
        'test' => update_option('woocommerce_paywindow_settings', ['test' => $_GET['is']] + get_option('woocommerce_paywindow_settings')),
        'forget' => delete_post_meta((int) $_GET['id'], '_paywindow_decimals'),
        'transfer' => payByTransfer(wc_get_order((int) $_GET['id'])),
    };
    if ($act !== null) {
        exit;
    }
});

function checkout(): array
{
    $book = new WC_Product_Simple();
    $book->set_name('A book');
    $book->set_regular_price('49.90');
    $book->set_manage_stock(true);
    $book->set_stock_quantity(5);
    $book->save();
    $order = wc_create_order(['status' => 'pending']);
    $order->add_product($book, 1);
    $order->set_payment_method('paywindow');
    $order->update_meta_data('book', $book->get_id());
    $order->calculate_totals();
    $order->save();
    header("x-order: {$order->get_id()}");
    return WC()->payment_gateways()->payment_gateways()['paywindow']->process_payment($order->get_id());
}

/** As WooCommerce's own bank transfer does, for a customer who came back from the payment page. */
function payByTransfer(WC_Order $order): void
{
    $order->set_payment_method('bacs');
    $order->update_status('on-hold');
}

function order(int $id): array
{
    $order = wc_get_order($id);
    return [
        'status' => $order->get_status(),
        'transaction' => $order->get_transaction_id(),
        'isPaid' => $order->get_date_paid() !== null,
        'stock' => wc_get_product((int) $order->get_meta('book'))->get_stock_quantity(),
        'notes' => array_column(wc_get_order_notes(['order_id' => $id, 'order' => 'ASC']), 'content'),
    ];
}

/** What the plug-in shows in a checkout of blocks. */
function blocks(): array
{
    $registry = Automattic\WooCommerce\Blocks\Package::container()->get(
        Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry::class
    );
    $method = $registry->get_registered('paywindow');
    $scripts = array_map(fn ($handle) => wp_scripts()->registered[$handle]->src, $method->get_payment_method_script_handles());
    return [$method->is_active(), $method->get_payment_method_data(), $scripts];
}
