<?php

/**
 * Plugin Name: A double of WooCommerce
 *
 * The part of WooCommerce's published interfaces that the plug-in and the storefront use, on real
 * WordPress: orders are posts, notes are comments, and statuses move the stock through hooks. Where
 * PAYWINDOW_WOOCOMMERCE names a folder, WooCommerce itself runs instead.
 */

namespace Automattic\WooCommerce\Utilities {
    final class FeaturesUtil
    {
        public static function declare_compatibility(string $feature, string $file, bool $is = true): bool
        {
            return $is && is_file($file) && $feature !== '';
        }
    }
}

namespace Automattic\WooCommerce\Blocks\Payments\Integrations {
    abstract class AbstractPaymentMethodType
    {
        protected $name = '';
        protected $settings = [];

        abstract public function initialize();

        public function get_name()
        {
            return $this->name;
        }

        protected function get_setting($name, $default = '')
        {
            return $this->settings[$name] ?? $default;
        }
    }
}

namespace Automattic\WooCommerce\Blocks\Payments {
    final class PaymentMethodRegistry
    {
        private array $methods = [];

        public function register(Integrations\AbstractPaymentMethodType $method): void
        {
            $method->initialize();
            $this->methods[$method->get_name()] = $method;
        }

        public function get_registered(string $name): ?object
        {
            return $this->methods[$name] ?? null;
        }
    }
}

namespace Automattic\WooCommerce\Blocks {
    final class Package
    {
        public static function container(): self
        {
            return new self();
        }

        public function get(string $class): object
        {
            $registry = new $class();
            do_action('woocommerce_blocks_payment_method_type_registration', $registry);
            return $registry;
        }
    }
}

namespace {
    abstract class WC_Payment_Gateway
    {
        public $id;
        public $title;
        public $description;
        public $method_title;
        public $method_description;
        public $has_fields;
        public $form_fields = [];
        public $settings = [];

        public function init_settings()
        {
            $defaults = array_map(fn ($field) => $field['default'] ?? '', $this->form_fields);
            $this->settings = get_option("woocommerce_{$this->id}_settings", []) + $defaults;
        }

        public function get_option($key, $empty_value = null)
        {
            return $this->settings[$key] ?? $empty_value ?? '';
        }

        public function get_return_url($order = null)
        {
            return home_url("/?order-received={$order->get_id()}&key=wc_order_" . md5($order->get_id()));
        }

        public function process_admin_options()
        {
            return false;
        }
    }

    /** Has what a store of data has, and does nothing where that lacks it. */
    final class WC_Data_Store
    {
        public static function load(string $type): self
        {
            return new self();
        }

        public function __call(string $name, array $arguments): void
        {
        }
    }

    /** What orders and products share: posts with meta. */
    class WC_Data
    {
        protected array $meta = [];

        public function __construct(protected int $id = 0)
        {
            foreach ($id ? get_post_meta($id) : [] as $key => [$value]) {
                $this->meta[$key] = $value;
            }
        }

        public function get_id()
        {
            return $this->id;
        }

        public function get_meta($key)
        {
            return $this->meta[$key] ?? '';
        }

        public function update_meta_data($key, $value)
        {
            $this->meta[$key] = $value;
        }

        protected function write(string $type, string $status): void
        {
            $post = ['post_type' => $type, 'post_status' => $status, 'post_title' => $type];
            $this->id = $this->id ? wp_update_post(['ID' => $this->id] + $post) : wp_insert_post($post);
            array_walk($this->meta, fn ($value, $key) => update_post_meta($this->id, $key, $value));
        }
    }

    class WC_Product_Simple extends WC_Data
    {
        public function set_name($name)
        {
            $this->update_meta_data('_name', $name);
        }

        public function set_regular_price($price)
        {
            $this->update_meta_data('_price', $price);
        }

        public function set_manage_stock($is)
        {
            $this->update_meta_data('_manage_stock', $is ? 'yes' : 'no');
        }

        public function set_stock_quantity($quantity)
        {
            $this->update_meta_data('_stock', $quantity);
        }

        public function get_stock_quantity()
        {
            return (int) $this->get_meta('_stock');
        }

        public function save()
        {
            $this->write('product', 'publish');
        }
    }

    class WC_Order extends WC_Data
    {
        private string $status = 'pending';
        private ?array $transition = null;

        public function __construct(int $id = 0)
        {
            parent::__construct($id);
            $this->status = $id ? substr(get_post_status($id), 3) : 'pending';
        }

        public function add_product($product, $quantity = 1)
        {
            $this->meta['_item'] = $product->get_id();
            $this->meta['_order_total'] = $product->get_meta('_price');
        }

        public function calculate_totals()
        {
            return $this->get_total();
        }

        public function set_payment_method($id)
        {
            $this->update_meta_data('_payment_method', $id);
        }

        public function get_payment_method()
        {
            return $this->get_meta('_payment_method');
        }

        public function get_total()
        {
            return wc_format_decimal($this->get_meta('_order_total'), wc_get_price_decimals());
        }

        public function get_currency()
        {
            return get_woocommerce_currency();
        }

        public function get_order_number()
        {
            return (string) $this->id;
        }

        public function get_status()
        {
            return $this->status;
        }

        public function has_status($status)
        {
            return in_array($this->status, (array) $status, true);
        }

        public function get_transaction_id()
        {
            return $this->get_meta('_transaction_id');
        }

        public function get_date_paid()
        {
            return $this->get_meta('_date_paid') ?: null;
        }

        public function add_order_note($note)
        {
            return wp_insert_comment([
                'comment_post_ID' => $this->id, 'comment_content' => $note, 'comment_type' => 'order_note', 'comment_agent' => 'WooCommerce',
            ]);
        }

        public function set_status($to)
        {
            if ($to !== $this->status) {
                $this->transition = [$this->status, $to];
                $this->status = $to;
            }
        }

        public function save()
        {
            $this->write('shop_order', "wc-{$this->status}");
            [$from, $to] = $this->transition ?? [null, null];
            $this->transition = null;
            if ($to !== null) {
                do_action("woocommerce_order_status_$to", $this->id, $this);
                $this->add_order_note("Order status changed from $from to $to.");
                do_action('woocommerce_order_status_changed', $this->id, $from, $to, $this);
            }
            return $this->id;
        }

        public function update_status($status)
        {
            $this->set_status($status);
            return (bool) $this->save();
        }

        public function payment_complete($transaction_id = '')
        {
            if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
                $this->update_meta_data('_transaction_id', $transaction_id);
                $this->meta['_date_paid'] ??= time();
                $this->set_status('processing');
                $this->save();
                try {
                    do_action('woocommerce_payment_complete', $this->id, $transaction_id);
                } catch (\Exception) {
                    return false;
                }
            }
            return true;
        }
    }

    function wc_create_order($args)
    {
        $order = new WC_Order();
        $order->save();
        return $order;
    }

    function wc_get_order($id)
    {
        return get_post_type((int) $id) === 'shop_order' ? new WC_Order((int) $id) : false;
    }

    function wc_get_product($id)
    {
        return new WC_Product_Simple((int) $id);
    }

    function wc_get_order_notes($args)
    {
        $found = ['post_id' => $args['order_id'], 'type' => 'order_note', 'orderby' => 'comment_ID', 'order' => $args['order']];
        return array_map(fn ($comment) => (object) ['content' => $comment->comment_content], get_comments($found));
    }

    function wc_get_is_paid_statuses()
    {
        return ['processing', 'completed'];
    }

    function wc_get_price_decimals()
    {
        return (int) apply_filters('wc_get_price_decimals', 2);
    }

    function wc_format_decimal($number, $dp = false)
    {
        return number_format((float) $number, $dp, '.', '');
    }

    function get_woocommerce_currency()
    {
        return apply_filters('woocommerce_currency', 'USD');
    }

    function wc_get_logger()
    {
        return new class {
            public function error($message, $context = [])
            {
                error_log("{$context['source']}: $message");
            }
        };
    }

    final class WC_Payment_Gateways
    {
        public function payment_gateways()
        {
            $gateways = array_map(fn ($class) => new $class(), apply_filters('woocommerce_payment_gateways', []));
            return array_column($gateways, null, 'id');
        }
    }

    final class WooCommerce
    {
        public function payment_gateways()
        {
            return new WC_Payment_Gateways();
        }
    }

    function WC()
    {
        return new WooCommerce();
    }

    /** Takes the goods of an order off the shelf, or puts them back, once. */
    function wc_double_move_stock(WC_Order $order, bool $isReduced): void
    {
        if (($order->get_meta('_order_stock_reduced') === 'yes') === $isReduced) {
            return;
        }
        $product = wc_get_product($order->get_meta('_item'));
        $product->set_stock_quantity($product->get_stock_quantity() + ($isReduced ? -1 : 1));
        $product->save();
        $order->update_meta_data('_order_stock_reduced', $isReduced ? 'yes' : 'no');
        update_post_meta($order->get_id(), '_order_stock_reduced', $isReduced ? 'yes' : 'no');
    }

    foreach (['on-hold' => true, 'processing' => true, 'completed' => true, 'cancelled' => false, 'pending' => false] as $to => $isReduced) {
        add_action("woocommerce_order_status_$to", fn ($id, $order) => wc_double_move_stock($order, $isReduced), 10, 2);
    }

    add_action('init', function () {
        register_post_type('shop_order');
        register_post_type('product');
        foreach (['pending', 'on-hold', 'processing', 'completed', 'cancelled', 'refunded', 'failed'] as $status) {
            register_post_status("wc-$status");
        }
    });
    add_action('plugins_loaded', fn () => do_action('before_woocommerce_init'));
    add_action('parse_request', function () {
        if (isset($_GET['wc-api'])) {
            ob_start();
            status_header(200);
            do_action('woocommerce_api_' . strtolower(sanitize_key($_GET['wc-api'])));
            die('-1');
        }
    }, 0);
}
