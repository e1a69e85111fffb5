<?php

declare(strict_types=1);

namespace Paywindow\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

defined('ABSPATH') || exit;

/** Shows the gateway in a checkout that is made of blocks. */
final class Blocks extends AbstractPaymentMethodType
{
    protected $name = 'paywindow';

    public function initialize(): void
    {
        $this->settings = get_option('woocommerce_paywindow_settings', []);
    }

    public function is_active(): bool
    {
        return $this->get_setting('enabled') === 'yes';
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        $needs = ['wc-blocks-registry', 'wc-settings', 'wp-element'];
        wp_register_script('paywindow-blocks', plugins_url('blocks.js', __FILE__), $needs, '1.0.0', true);
        return ['paywindow-blocks'];
    }

    /** @return array{title: string, description: string} */
    public function get_payment_method_data(): array
    {
        return ['title' => $this->get_setting('title'), 'description' => $this->get_setting('description')];
    }
}
