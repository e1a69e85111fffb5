<?php

namespace Opencart\Catalog\Model\Extension\Paywindow\Payment;

/** Says whether a cart can be paid so. */
class Paywindow extends \Opencart\System\Engine\Model
{
    /**
     * @param array<string, mixed> $address
     * @return array<string, mixed>
     */
    public function getMethods(array $address = []): array
    {
        // A subscription asks for money again by itself, which nothing can do here.
        if ($this->cart->hasSubscription()) {
            return [];
        }
        $this->load->language('extension/paywindow/payment/paywindow');
        $name = $this->language->get('heading_title');
        return [
            'code' => 'paywindow',
            'name' => $name,
            'option' => ['paywindow' => ['code' => 'paywindow.paywindow', 'name' => $name]],
            'sort_order' => $this->config->get('payment_paywindow_sort_order'),
        ];
    }
}
