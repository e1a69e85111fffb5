<?php

/**
 * Where the payment server sends events. OpenCart answers 200 when something goes wrong before it has
 * found the plug-in, such as a database that is away, and the event would count as taken.
 */

http_response_code(500);
// As if index.php had been asked.
$_GET['route'] = 'extension/paywindow/payment/paywindow.event';
$_SERVER['PHP_SELF'] = dirname($_SERVER['PHP_SELF'], 3) . '/index.php';
chdir(dirname(__DIR__, 2));
require getcwd() . '/index.php';
