<?php

namespace Opencart\Admin\Controller\Extension\Paywindow\Payment;

/** The settings. */
class Paywindow extends \Opencart\System\Engine\Controller
{
    /** The ids that OpenCart is installed with: Pending, Processing, Canceled, Reversed. */
    private const STATUSES = ['seen' => 1, 'paid' => 2, 'cancelled' => 7, 'taken_back' => 12];
    private const ROUTE = 'extension/paywindow/payment/paywindow';

    /** OpenCart calls it when the extension is installed. */
    public function install(): void
    {
        $settings = ['payment_paywindow_status' => 0, 'payment_paywindow_test' => 0, 'payment_paywindow_sort_order' => 0];
        foreach (self::STATUSES as $name => $id) {
            $settings["payment_paywindow_{$name}_status_id"] = $id;
        }
        $this->load->model('setting/setting');
        $this->model_setting_setting->editSetting('payment_paywindow', $settings);
    }

    public function index(): void
    {
        $this->load->language(self::ROUTE);
        $this->document->setTitle($this->language->get('heading_title'));
        $this->load->model('localisation/order_status');
        $token = 'user_token=' . $this->session->data['user_token'];
        $data = [
            'save' => $this->url->link(self::ROUTE . '.save', $token),
            'back' => $this->url->link('marketplace/extension', "$token&type=payment"),
            'events' => HTTP_CATALOG . 'extension/paywindow/event.php',
            'order_statuses' => $this->model_localisation_order_status->getOrderStatuses(),
            'texts' => [],
            'choices' => [],
        ];
        foreach (['page' => 'text', 'link_secret' => 'password', 'events_secret' => 'password', 'sort_order' => 'text'] as $name => $type) {
            $data['texts'][] = $this->field($name) + ['type' => $type];
        }
        foreach (array_keys(self::STATUSES) as $name) {
            $data['choices'][] = $this->field("{$name}_status_id");
        }
        $data['switches'] = [$this->field('test'), $this->field('status')];
        foreach (['header', 'column_left', 'footer'] as $part) {
            $data[$part] = $this->load->controller("common/$part");
        }
        $this->response->setOutput($this->load->view(self::ROUTE, $data));
    }

    public function save(): void
    {
        $this->load->language(self::ROUTE);
        $json = ['error' => $this->language->get('error_permission')];
        if ($this->user->hasPermission('modify', self::ROUTE)) {
            $this->load->model('setting/setting');
            $this->model_setting_setting->editSetting('payment_paywindow', $this->request->post);
            $json = ['success' => $this->language->get('text_success')];
        }
        $this->response->addHeader('Content-Type: application/json');
        $this->response->setOutput(json_encode($json));
    }

    /** @return array{name: string, label: string, help: string, value: mixed} */
    private function field(string $name): array
    {
        $help = $this->language->get("help_$name");
        return [
            'name' => "payment_paywindow_$name",
            'label' => $this->language->get("entry_$name"),
            'help' => $help === "help_$name" ? '' : $help,
            'value' => $this->config->get("payment_paywindow_$name"),
        ];
    }
}
