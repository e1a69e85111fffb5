<?php

namespace Opencart\Catalog\Controller\Extension\Storefront\Payment;

/** The least shop: one book, one button, and what OpenCart says of an order. It calls OpenCart's own models. */
class Shop extends \Opencart\System\Engine\Controller
{
    private const COLUMNS = 'subscription_id invoice_prefix store_id store_name store_url customer_id customer_group_id
        firstname lastname email telephone payment_address_id payment_firstname payment_lastname payment_company
        payment_address_1 payment_address_2 payment_city payment_postcode payment_country payment_country_id payment_zone
        payment_zone_id payment_address_format payment_method shipping_address_id shipping_firstname shipping_lastname
        shipping_company shipping_address_1 shipping_address_2 shipping_city shipping_postcode shipping_country
        shipping_country_id shipping_zone shipping_zone_id shipping_address_format shipping_method comment affiliate_id
        commission marketing_id tracking language_id language_code currency_id currency_code currency_value ip
        forwarded_ip user_agent accept_language total';

    /** A checkout that has come to its end: the plug-in draws the button. */
    public function index(): void
    {
        $this->buy();
        $this->response->setOutput('<div id="alert"></div>' . $this->load->controller('extension/paywindow/payment/paywindow'));
    }

    /** Presses the button without a browser. */
    public function confirm(): void
    {
        header("x-order: {$this->buy()}");
        // A gift certificate that is bought.
        $this->session->data['vouchers'] = ['one'];
        $this->load->controller('extension/paywindow/payment/paywindow.confirm');
        header('x-left: ' . implode(' ', array_intersect(['vouchers', 'order_id'], array_keys($this->session->data))));
    }

    public function order(): void
    {
        $this->load->model('checkout/order');
        $id = (int) $this->request->get['id'];
        $order = $this->model_checkout_order->getOrder($id);
        $book = (int) $this->model_checkout_order->getProducts($id)[0]['product_id'];
        $stock = $this->db->query('SELECT quantity FROM ' . DB_PREFIX . "product WHERE product_id = $book")->row['quantity'];
        $history = $this->db->query('SELECT comment FROM ' . DB_PREFIX . "order_history WHERE order_id = $id ORDER BY order_history_id");
        $this->response->setOutput(json_encode([
            'status' => $order['order_status'],
            'transaction' => (string) $order['transaction_id'],
            'stock' => (int) $stock,
            'notes' => array_column($history->rows, 'comment'),
        ]));
    }

    public function change(): void
    {
        $this->load->model('checkout/order');
        $this->model_checkout_order->addHistory((int) $this->request->get['id'], (int) $this->request->get['status']);
        $this->response->setOutput('done');
    }

    /** OpenCart calls it before each change of an order, as it does where it sends e-mails. */
    public function before(): void
    {
        $this->failMail('before');
    }

    private function failMail(string $when): void
    {
        if (($this->request->get['route'] ?? '') === 'extension/paywindow/payment/paywindow.event' && @unlink(DIR_EXTENSION . "mail-$when")) {
            throw new \Exception('no e-mail can be sent');
        }
    }

    /** OpenCart calls it after each change of an order: ends the server in the middle of an event, once. */
    public function after(): void
    {
        $this->failMail('after');
        if (($this->request->get['route'] ?? '') === 'extension/paywindow/payment/paywindow.event' && @unlink(DIR_EXTENSION . 'die')) {
            posix_kill(getmypid(), SIGKILL);
        }
    }

    private function buy(): int
    {
        $this->db->query('INSERT INTO `' . DB_PREFIX . "product` SET model = 'A book', quantity = 5, subtract = 1, status = 1,
            sku = '', upc = '', ean = '', jan = '', isbn = '', mpn = '', location = '', variant = '', override = '',
            image = '', price = 49.90, manufacturer_id = 0, shipping = 0, date_added = NOW(), date_modified = NOW()");
        $this->load->model('checkout/order');
        $book = ['product_id' => $this->db->getLastId(), 'master_id' => 0, 'name' => 'A book', 'model' => 'A book', 'quantity' => 1,
            'price' => 49.90, 'total' => 49.90, 'tax' => 0, 'reward' => 0, 'option' => [], 'subscription' => []];
        $method = ['code' => 'paywindow.paywindow', 'name' => 'Coins'];
        $order = ['currency_code' => 'EUR', 'currency_value' => 1, 'total' => 49.90, 'products' => [$book], 'payment_method' => $method,
            'language_id' => 1, 'language_code' => 'en-gb', 'store_name' => 'Lantern Books', 'email' => 'payer@shop.example'];
        $id = $this->model_checkout_order->addOrder($order + array_fill_keys(preg_split('/\s+/', self::COLUMNS), ''));
        $this->session->data['order_id'] = $id;
        $this->session->data['payment_method'] = $method;
        return $id;
    }
}
