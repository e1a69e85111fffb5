<?php

/**
 * A double of OpenCart 4: the part of its published interfaces that the plug-in and the storefront
 * use, on a real MariaDB. Registry, controllers, models, routes, the models of orders, and the stock,
 * which statuses move. Where PAYWINDOW_OPENCART names a folder, OpenCart itself runs instead.
 */

namespace Opencart\System\Engine {
    final class Registry
    {
        /** @var array<string, object> */
        public array $data = [];
    }

    abstract class Part
    {
        public function __construct(protected Registry $registry)
        {
        }

        public function __get(string $key): object
        {
            return $this->registry->data[$key] ?? throw new \Exception("Error: Could not call registry key $key!");
        }
    }

    abstract class Controller extends Part
    {
    }

    abstract class Model extends Part
    {
    }

    final class Loader extends Part
    {
        public function controller(string $route): mixed
        {
            [$path, $method] = explode('.', $route) + [1 => 'index'];
            [, $extension, , $name] = explode('/', $path);
            require_once DIR_EXTENSION . "$extension/catalog/controller/payment/$name.php";
            $class = '\Opencart\Catalog\Controller\Extension\\' . ucfirst($extension) . '\Payment\\' . ucfirst($name);
            return (new $class($this->registry))->$method();
        }

        public function model(string $route): void
        {
            if ($route !== 'checkout/order') {
                throw new \Exception("the double has no model $route");
            }
            $this->registry->data['model_checkout_order'] = new \Opencart\Catalog\Model\Checkout\Order($this->registry);
        }

        public function language(string $route): void
        {
            $_ = [];
            [, $extension, , $name] = explode('/', $route);
            require DIR_EXTENSION . "$extension/catalog/language/en-gb/payment/$name.php";
            $this->language->texts = $_ + $this->language->texts;
        }

        /** Only as much of Twig as the plug-in's page of customers has. */
        public function view(string $route, array $data): string
        {
            [, $extension, , $name] = explode('/', $route);
            $twig = file_get_contents(DIR_EXTENSION . "$extension/catalog/view/template/payment/$name.twig");
            $all = $data + $this->language->texts;
            return preg_replace_callback('/\{\{ (\w+)(\|json_encode\|raw)? \}\}/', fn ($found) =>
                isset($found[2]) ? json_encode($all[$found[1]]) : $all[$found[1]], $twig);
        }
    }
}

namespace Opencart\Catalog\Model\Checkout {
    class Order extends \Opencart\System\Engine\Model
    {
        public function addOrder(array $data): int
        {
            ['total' => $total, 'currency_code' => $code, 'currency_value' => $value, 'products' => [$book]] = $data;
            $this->db->query("INSERT INTO oc_order SET total = '$total', currency_code = '$code', currency_value = '$value'");
            $id = $this->db->getLastId();
            $this->db->query("INSERT INTO oc_order_product SET order_id = $id, product_id = {$book['product_id']}, quantity = 1");
            return $id;
        }

        public function getOrder(int $id): array
        {
            return $this->db->query("SELECT o.*, (SELECT name FROM oc_order_status s WHERE s.order_status_id = o.order_status_id)
                AS order_status FROM oc_order o WHERE order_id = $id")->row;
        }

        public function getProducts(int $id): array
        {
            return $this->db->query("SELECT * FROM oc_order_product WHERE order_id = $id")->rows;
        }

        public function editTransactionId(int $id, string $transaction): void
        {
            $this->db->query("UPDATE oc_order SET transaction_id = '{$this->db->escape($transaction)}' WHERE order_id = $id");
        }

        public function addHistory(int $id, int $status, string $comment = '', bool $notify = false): void
        {
            $this->load->controller('extension/storefront/payment/shop.before');
            $holds = $this->config->get('config_processing_status');
            $moves = in_array($this->getOrder($id)['order_status_id'], $holds) <=> in_array($status, $holds);
            foreach ($this->getProducts($id) as ['product_id' => $book, 'quantity' => $quantity]) {
                $this->db->query("UPDATE oc_product SET quantity = quantity + $moves * $quantity WHERE product_id = $book");
            }
            $this->db->query("UPDATE oc_order SET order_status_id = $status WHERE order_id = $id");
            $this->db->query("INSERT INTO oc_order_history SET order_id = $id, order_status_id = $status, notify = " . (int) $notify
                . ", comment = '{$this->db->escape($comment)}'");
            $this->load->controller('extension/storefront/payment/shop.after');
        }
    }
}

namespace {
    const DB_PREFIX = 'oc_';
    const DIR_EXTENSION = __DIR__ . '/extension/';

    final class Database
    {
        public function __construct(private mysqli $connection)
        {
        }

        public function query(string $sql): mixed
        {
            $found = $this->connection->query($sql);
            if (is_bool($found)) {
                return $found;
            }
            $rows = $found->fetch_all(MYSQLI_ASSOC);
            return (object) ['rows' => $rows, 'row' => $rows[0] ?? [], 'num_rows' => count($rows)];
        }

        public function escape(string $value): string
        {
            return $this->connection->real_escape_string($value);
        }

        public function getLastId(): int
        {
            return (int) $this->connection->insert_id;
        }
    }

    /** Texts and settings. */
    final class Values
    {
        public function __construct(public array $texts)
        {
        }

        public function get(string $key): mixed
        {
            return $this->texts[$key] ?? null;
        }
    }

    final class Surroundings
    {
        public array $data = [];
        public array $get = [];
        private string $output = '';

        public function __construct(private string $url = '')
        {
            $this->get = $_GET;
        }

        public function link(string $route, string $args = '', bool $js = false): string
        {
            $link = "{$this->url}index.php?route=$route" . ($args === '' ? '' : "&$args");
            return $js ? $link : str_replace('&', '&amp;', $link);
        }

        public function format(float $number, string $currency, float $value = 0, bool $format = true): float
        {
            return round($number * $value, 2);
        }

        public function getDecimalPlace(string $currency): int
        {
            return 2;
        }

        public function clear(): void
        {
            $this->data = [];
        }

        public function hasSubscription(): bool
        {
            return false;
        }

        public function write(string $message): void
        {
            error_log($message);
        }

        public function addHeader(string $header): void
        {
            header($header);
        }

        public function setOutput(string $output): void
        {
            $this->output = $output;
        }

        public function output(): void
        {
            echo $this->output;
        }
    }

    // As OpenCart is installed, and with the status 200.
    set_exception_handler(fn (Throwable $error) => print $error->getMessage());
    $settings = json_decode(file_get_contents(__DIR__ . '/settings.json'), true);
    session_start();
    $registry = new Opencart\System\Engine\Registry();
    $session = new Surroundings();
    $session->data = &$_SESSION;
    $registry->data = [
        'db' => new Database(new mysqli('127.0.0.1', 'root', '', 'shop', $settings['database_port'])),
        'config' => new Values($settings),
        'language' => new Values(['button_confirm' => 'Confirm Order']),
        'load' => new Opencart\System\Engine\Loader($registry),
        'url' => new Surroundings($settings['config_url']),
        'session' => $session,
    ] + array_fill_keys(['request', 'response', 'currency', 'cart', 'log'], new Surroundings());
    $registry->data['load']->controller($_GET['route']);
    $registry->data['response']->output();
}
