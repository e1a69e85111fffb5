<?php

/**
 * Plugin Name: Paywindow for WooCommerce
 * Description: Customers pay with Bitcoin and other coins on the payment page of your `paywindow serve`.
 * Version: 1.0.0
 * Requires at least: 6.1
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 8.0
 * License: MIT
 */

declare(strict_types=1);

namespace Paywindow\WooCommerce;

defined('ABSPATH') || exit;

require_once __DIR__ . '/lib/paywindow.php';
require_once __DIR__ . '/lib/orders.php';

add_action('before_woocommerce_init', static function (): void {
    foreach (['custom_order_tables', 'cart_checkout_blocks'] as $feature) {
        \Automattic\WooCommerce\Utilities\FeaturesUtil::declare_compatibility($feature, __FILE__, true);
    }
});

// WooCommerce has loaded its classes then. Without it nothing asks for this.
add_filter('woocommerce_payment_gateways', static function (array $gateways): array {
    require_once __DIR__ . '/gateway.php';
    return [...$gateways, Gateway::class];
});

// Where the payment server sends events: /?wc-api=paywindow
add_action('woocommerce_api_paywindow', static function (): void {
    require_once __DIR__ . '/gateway.php';
    (new Gateway())->takeEvent();
});

// Without WooCommerce that is the home page, whose 200 would mean that the event is stored.
add_action('parse_request', static function (): void {
    if (($_GET['wc-api'] ?? '') === 'paywindow') {
        status_header(503);
        exit;
    }
});

// For a checkout that is made of blocks.
add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry): void {
    require_once __DIR__ . '/blocks.php';
    $registry->register(new Blocks());
});
