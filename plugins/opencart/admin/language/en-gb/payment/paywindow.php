<?php

$_['heading_title'] = 'Paywindow: Bitcoin and other coins';
$_['text_edit'] = 'Edit Paywindow';
$_['text_success'] = 'Success: you have changed Paywindow!';
$_['text_events'] = 'events.url of paywindow.json is';
$_['entry_page'] = 'Payment page';
$_['help_page'] = 'publicUrl of paywindow.json, the name of your shop, and pay: https://pay.shop.example/books/pay';
$_['entry_link_secret'] = 'Secret of links';
$_['help_link_secret'] = 'PAYWINDOW_BOOKS_LINK_SECRET of the payment server';
$_['entry_events_secret'] = 'Secret of events';
$_['help_events_secret'] = 'PAYWINDOW_BOOKS_EVENTS_SECRET. While it is changed, both with a comma between them';
$_['entry_sort_order'] = 'Sort Order';
$_['entry_test'] = 'Test shop';
$_['help_test'] = 'Test payments, which move no money, pay orders';
$_['entry_status'] = 'Status';
$_['entry_seen_status_id'] = 'Waits for its payment';
$_['entry_paid_status_id'] = 'Paid';
$_['entry_cancelled_status_id'] = 'Nobody pays';
$_['entry_taken_back_status_id'] = 'Was paid, and is not any more';
$_['error_permission'] = 'Warning: You do not have permission to modify Paywindow!';
