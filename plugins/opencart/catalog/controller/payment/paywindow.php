<?php

namespace Opencart\Catalog\Controller\Extension\Paywindow\Payment;

use Paywindow\Change;
use Paywindow\InvalidEvent;
use Paywindow\Stage;
use Paywindow\State;

require_once DIR_EXTENSION . 'paywindow/system/library/paywindow.php';
require_once DIR_EXTENSION . 'paywindow/system/library/orders.php';

/** Sends customers to the payment page, and takes its events. */
class Paywindow extends \Opencart\System\Engine\Controller
{
    private const LINK_S = 7 * 86_400;
    /** What a placed order leaves behind in a session, as checkout/success removes it. */
    private const OF_ORDER = ['order_id', 'payment_method', 'payment_methods', 'shipping_method', 'shipping_methods',
        'comment', 'agree', 'coupon', 'reward', 'voucher', 'vouchers'];

    /** The button at the end of the checkout. */
    public function index(): string
    {
        $this->load->language('extension/paywindow/payment/paywindow');
        $data['confirm'] = $this->url->link('extension/paywindow/payment/paywindow.confirm', $this->language(), true);
        return $this->load->view('extension/paywindow/payment/paywindow', $data);
    }

    /** Places the order, which waits for its payment, and answers with the address of the payment page. */
    public function confirm(): void
    {
        $this->load->language('extension/paywindow/payment/paywindow');
        $this->load->model('checkout/order');
        $order = $this->model_checkout_order->getOrder((int) ($this->session->data['order_id'] ?? 0));
        $method = $this->session->data['payment_method']['code'] ?? '';
        if (!$order || $method !== 'paywindow.paywindow') {
            $this->answer(['error' => $this->language->get('error_order')]);
            return;
        }
        $back = $this->url->link('checkout/success', $this->language(), true);
        try {
            $link = \Paywindow\paymentLink(
                page: $this->setting('page'),
                secret: $this->setting('link_secret'),
                order: (string) $order['order_id'],
                expiresAt: time() + self::LINK_S,
                amount: $this->totalOf($order),
                asset: $order['currency_code'],
                number: (string) $order['order_id'],
                // On a developer's machine without HTTPS the payer goes back by hand.
                returnUrl: str_starts_with($back, 'https://') ? $back : null,
            );
        } catch (\InvalidArgumentException $error) {
            $this->log->write("Paywindow: {$error->getMessage()}");
            $this->answer(['error' => $this->language->get('error_settings')]);
            return;
        }
        // Whoever leaves the page finds it again in the e-mail, and in the account.
        $comment = sprintf($this->language->get('text_link'), $link);
        $this->setStatus($order, $this->statusOf('seen'), $comment, true);
        $this->cart->clear();
        foreach (self::OF_ORDER as $name) {
            unset($this->session->data[$name]);
        }
        $this->answer(['redirect' => $link]);
    }

    /** Answers the payment server: 204 once all is stored, otherwise the event comes again. */
    public function event(): void
    {
        $said = '';
        try {
            $secrets = array_map('trim', explode(',', $this->setting('events_secret')));
            $event = \Paywindow\verifyEvent((string) file_get_contents('php://input'), $_SERVER, $secrets);
            $this->record($_SERVER['HTTP_WEBHOOK_ID'], $event);
            $status = 204;
        } catch (InvalidEvent $reason) {
            [$status, $said] = [400, $reason->getMessage()];
        } catch (\Throwable $error) {
            $this->log->write("Paywindow: {$error->getMessage()}");
            [$status, $said] = [500, 'The event was not stored: see the error log'];
        }
        // OpenCart's response sends no header without a body.
        http_response_code($status);
        $this->response->addHeader('Content-Type: text/plain; charset=utf-8');
        $this->response->setOutput($said);
    }

    /** @param array<string, mixed> $event */
    private function record(string $eventId, array $event): void
    {
        $this->load->model('checkout/order');
        $data = is_array($event['data'] ?? null) ? $event['data'] : [];
        $id = \Paywindow\textOf($data, 'order');
        $ask = function (string $sql): ?string {
            $result = $this->db->query($sql);
            return is_object($result) && $result->row ? reset($result->row) : null;
        };
        \Paywindow\doOnce($ask, DB_PREFIX . 'paywindow_event', $id, $eventId, function (array $known) use ($id, $event, $data) {
            $order = ctype_digit($id) ? $this->model_checkout_order->getOrder((int) $id) : [];
            if (!$order) {
                throw new \RuntimeException("there is no order $id");
            }
            $stage = $this->stageOf((int) $order['order_status_id'], $known);
            $takesTests = (bool) $this->config->get('payment_paywindow_test');
            $change = \Paywindow\changeOf($event, $known, $stage, $this->totalOf($order), $order['currency_code'], $takesTests);
            $this->change($order, $change, \Paywindow\textOf($data, 'checkout'));
            return $change->known;
        });
    }

    /** @param array<string, mixed> $order */
    private function change(array $order, Change $change, string $checkout): void
    {
        $status = match ($change->state) {
            State::Seen, State::Review => $this->statusOf('seen'),
            State::Paid => $this->statusOf('paid'),
            State::TakenBack => $this->statusOf('taken_back'),
            State::Cancelled => $this->statusOf('cancelled'),
            null => (int) $order['order_status_id'],
        };
        if ($change->state === State::Paid) {
            $this->model_checkout_order->editTransactionId((int) $order['order_id'], $checkout);
        }
        if ($change->isRefusedTest) {
            $this->log->write("Paywindow, order {$order['order_id']}: {$change->note}");
        }
        // OpenCart shows comments as HTML.
        $comment = htmlspecialchars($change->note);
        if ($change->state !== State::Paid) {
            $this->setStatus($order, $status, $comment, false);
            return;
        }
        $before = $this->notesOf($order);
        try {
            $this->setStatus($order, $status, $comment, true);
        } catch (\Throwable $error) {
            // Of an e-mail that could not be sent, before or after the order was stored.
            $this->log->write("Paywindow, order {$order['order_id']} is paid, and nobody was told: {$error->getMessage()}");
            if ($this->notesOf($order) === $before) {
                $this->setStatus($order, $status, $comment, false);
            }
        }
    }

    /** @param array<string, mixed> $order */
    private function notesOf(array $order): int
    {
        $from = DB_PREFIX . "order_history` WHERE order_id = " . (int) $order['order_id'];
        return (int) $this->db->query("SELECT COUNT(*) AS notes FROM `$from")->row['notes'];
    }

    /** @param array<string, mixed> $order */
    private function setStatus(array $order, int $status, string $comment, bool $isTold): void
    {
        $this->model_checkout_order->addHistory((int) $order['order_id'], $status, $comment, $isTold);
    }

    /** @param array<string, mixed> $known */
    private function stageOf(int $status, array $known): Stage
    {
        if ($status === $this->statusOf('cancelled')) {
            return ($known['payer'] ?? null) === null ? Stage::Cancelled : Stage::Closed;
        }
        $isOpen = in_array($status, [0, $this->statusOf('seen'), $this->statusOf('taken_back')], true);
        return $isOpen ? Stage::Open : Stage::Paid;
    }

    /** OpenCart stores what is typed as HTML. */
    private function setting(string $name): string
    {
        return htmlspecialchars_decode((string) $this->config->get("payment_paywindow_$name"), ENT_COMPAT);
    }

    private function statusOf(string $what): int
    {
        return (int) $this->config->get("payment_paywindow_{$what}_status_id");
    }

    /**
     * As text, in the currency of the order, with its decimals: the link and the event have the same.
     *
     * @param array<string, mixed> $order
     */
    private function totalOf(array $order): string
    {
        ['total' => $total, 'currency_code' => $code, 'currency_value' => $value] = $order;
        $amount = $this->currency->format((float) $total, $code, (float) $value, false);
        return number_format((float) $amount, (int) $this->currency->getDecimalPlace($code), '.', '');
    }

    private function language(): string
    {
        return 'language=' . $this->config->get('config_language');
    }

    /** @param array<string, string> $json */
    private function answer(array $json): void
    {
        $this->response->addHeader('Content-Type: application/json');
        $this->response->setOutput(json_encode($json));
    }
}
