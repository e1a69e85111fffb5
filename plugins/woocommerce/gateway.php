<?php

declare(strict_types=1);

namespace Paywindow\WooCommerce;

use Paywindow\Change;
use Paywindow\InvalidEvent;
use Paywindow\Stage;
use Paywindow\State;

use function Paywindow\changeOf;
use function Paywindow\doOnce;
use function Paywindow\paymentLink;
use function Paywindow\textOf;
use function Paywindow\verifyEvent;

defined('ABSPATH') || exit;

/** Sends customers to the payment page, and takes its events. */
final class Gateway extends \WC_Payment_Gateway
{
    /** As WooCommerce says it, to which shops can add. */
    private const PAYABLE = ['on-hold', 'pending', 'failed', 'cancelled'];
    private const LINK_S = 7 * 86_400;
    /** Of the shop when the customer chose to pay: plug-ins for several currencies set them for each visitor. */
    private const DECIMALS = '_paywindow_decimals';

    public function __construct()
    {
        $this->id = 'paywindow';
        $this->method_title = 'Paywindow';
        $this->method_description = 'Bitcoin and other coins, on the payment page of your <code>paywindow serve</code>.';
        $this->has_fields = false;
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        add_action("woocommerce_update_options_payment_gateways_{$this->id}", [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $events = add_query_arg('wc-api', 'paywindow', home_url('/'));
        $this->form_fields = [
            'enabled' => ['title' => 'Enabled', 'type' => 'checkbox', 'label' => 'Offer it to customers', 'default' => 'no'],
            'title' => ['title' => 'Title', 'type' => 'text', 'default' => 'Bitcoin and other coins'],
            'description' => [
                'title' => 'Description',
                'type' => 'textarea',
                'default' => 'You choose a coin on the next page.',
            ],
            'page' => [
                'title' => 'Payment page',
                'type' => 'text',
                'description' => 'publicUrl of paywindow.json, the name of your shop, and pay: https://pay.shop.example/books/pay',
            ],
            'link_secret' => [
                'title' => 'Secret of links',
                'type' => 'password',
                'description' => 'PAYWINDOW_BOOKS_LINK_SECRET of the payment server',
            ],
            'events_secret' => [
                'title' => 'Secret of events',
                'type' => 'password',
                'description' => 'PAYWINDOW_BOOKS_EVENTS_SECRET. While it is changed, both with a comma between them.'
                    . ' The address of events is ' . esc_html($events),
            ],
            'test' => [
                'title' => 'Test shop',
                'type' => 'checkbox',
                'label' => 'Test payments, which move no money, pay orders',
                'default' => 'no',
            ],
        ];
    }

    /**
     * Nothing is reserved at the payment server, so a link can be made again for the same order.
     *
     * @param int $order_id
     * @return array{result: string, redirect: string}
     */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        $back = $this->get_return_url($order);
        $order->update_meta_data(self::DECIMALS, (string) wc_get_price_decimals());
        $order->save();
        try {
            $link = paymentLink(
                page: (string) $this->get_option('page'),
                secret: (string) $this->get_option('link_secret'),
                order: (string) $order->get_id(),
                expiresAt: time() + self::LINK_S,
                amount: self::totalOf($order),
                asset: $order->get_currency(),
                number: (string) $order->get_order_number(),
                // On a developer's machine without HTTPS the payer goes back by hand.
                returnUrl: str_starts_with($back, 'https://') ? $back : null,
            );
        } catch (\InvalidArgumentException $error) {
            self::log($error->getMessage());
            // WooCommerce shows it to the customer, who cannot change settings.
            throw new \Exception('This way to pay does not work at the moment. Please choose another.');
        }
        return ['result' => 'success', 'redirect' => $link];
    }

    /** Answers the payment server: 204 once all is stored, otherwise the event comes again. */
    public function takeEvent(): void
    {
        // WooCommerce has said 200, which stays where another plug-in ends the request.
        status_header(500);
        try {
            $secrets = array_map('trim', explode(',', (string) $this->get_option('events_secret')));
            // WordPress adds slashes.
            $server = wp_unslash($_SERVER);
            $event = verifyEvent((string) file_get_contents('php://input'), $server, $secrets);
            $this->record($server['HTTP_WEBHOOK_ID'], $event);
            status_header(204);
        } catch (InvalidEvent $reason) {
            status_header(400);
            echo esc_html($reason->getMessage());
        } catch (\Throwable $error) {
            self::log($error->getMessage());
        }
        exit;
    }

    /** @param array<string, mixed> $event */
    private function record(string $eventId, array $event): void
    {
        global $wpdb;
        $data = is_array($event['data'] ?? null) ? $event['data'] : [];
        $id = textOf($data, 'order');
        $ask = static function (string $sql) use ($wpdb): ?string {
            $value = str_starts_with($sql, 'SELECT') ? $wpdb->get_var($sql) : $wpdb->query($sql);
            if ($wpdb->last_error !== '') {
                throw new \RuntimeException($wpdb->last_error);
            }
            return $value === null ? null : (string) $value;
        };
        $takesTests = $this->get_option('test') === 'yes';
        $work = static function (array $known) use ($id, $event, $data, $takesTests): array {
            $order = self::stored($id);
            $stage = self::stageOf($order, $known);
            $change = changeOf($event, $known, $stage, self::totalOf($order), $order->get_currency(), $takesTests);
            self::change($order, $change, textOf($data, 'checkout'));
            return $change->known;
        };
        doOnce($ask, "{$wpdb->prefix}paywindow_events", $id, $eventId, $work);
    }

    /** As the database has it. */
    private static function stored(string $name): \WC_Order
    {
        // Of 42.x7Kd0aLmQ2vB, an amount that was typed at another link, PHP would make 42.
        $id = ctype_digit($name) ? (int) $name : throw new \RuntimeException("there is no order $name");
        // Caches may still have what a request has written that was ended before it was done.
        clean_post_cache($id);
        \WC_Data_Store::load('order')->clear_cached_data([$id]);
        $order = wc_get_order($id);
        return $order instanceof \WC_Order ? $order : throw new \RuntimeException("there is no order $id");
    }

    private static function change(\WC_Order $order, Change $change, string $checkout): void
    {
        $order->add_order_note(esc_html($change->note));
        if ($change->isRefusedTest) {
            self::log("order {$order->get_id()}: {$change->note}");
        }
        $before = $order->get_status();
        $status = match ($change->state) {
            State::Seen, State::Review, State::TakenBack => 'on-hold',
            State::Cancelled => self::waits($order) ? 'cancelled' : null,
            State::Paid, null => null,
        };
        try {
            if ($change->state === State::Paid) {
                $order->payment_complete($checkout);
            } elseif ($status !== null && !$order->has_status($status)) {
                $order->update_status($status);
            }
        } catch (\Throwable $error) {
            // Of another plug-in, such as an e-mail that could not be sent. It would fail again, too.
            self::log("order {$order->get_id()} is changed, and something after that failed: {$error->getMessage()}");
        }
        // What is stored counts: WooCommerce also answers false where only an e-mail has failed, and
        // true for an order in the trash, to which it does nothing.
        $stored = self::stored((string) $order->get_id());
        $isDone = $change->state === State::Paid
            ? $stored->get_date_paid() !== null && $stored->get_transaction_id() === $checkout && !$stored->has_status('trash')
            : $status === null || $stored->has_status($status) || !$stored->has_status($before);
        if (!$isDone) {
            throw new \RuntimeException("the order {$order->get_id()} could not be changed: see its notes");
        }
    }

    /** Not where the customer has chosen another way to pay since, or the shop a status of its own. */
    private static function waits(\WC_Order $order): bool
    {
        return $order->get_payment_method() === 'paywindow' && $order->has_status(['pending', 'on-hold', 'failed']);
    }

    /** @param array<string, mixed> $known */
    private static function stageOf(\WC_Order $order, array $known): Stage
    {
        if ($order->has_status(wc_get_is_paid_statuses())) {
            return Stage::Paid;
        }
        if ($order->has_status('cancelled')) {
            return ($known['payer'] ?? null) === null ? Stage::Cancelled : Stage::Closed;
        }
        if ($order->has_status('refunded')) {
            return Stage::Closed;
        }
        // WooCommerce takes no payment in a status that the shop has made: a person has chosen it.
        $payable = apply_filters('woocommerce_valid_order_statuses_for_payment_complete', self::PAYABLE, $order);
        return $order->has_status([...$payable, 'trash']) ? Stage::Open : Stage::Paid;
    }

    /** As text: the link and the event have the same. */
    private static function totalOf(\WC_Order $order): string
    {
        $kept = $order->get_meta(self::DECIMALS);
        $decimals = (int) ($kept === '' ? wc_get_price_decimals() : $kept);
        $then = static fn (): int => $decimals;
        // WooCommerce rounds the total of an order when it reads it.
        add_filter('wc_get_price_decimals', $then, PHP_INT_MAX);
        $total = (new \WC_Order($order->get_id()))->get_total();
        remove_filter('wc_get_price_decimals', $then, PHP_INT_MAX);
        return (string) wc_format_decimal($total, $decimals);
    }

    private static function log(string $what): void
    {
        wc_get_logger()->error($what, ['source' => 'paywindow']);
    }
}
