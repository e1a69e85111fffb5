<?php

$_['heading_title'] = 'Bitcoin and other coins';
$_['text_next'] = 'You choose a coin on the next page.';
$_['text_link'] = 'Pay here, if you have not yet: %s';
$_['error_order'] = 'There is no order to pay. Please reload the page.';
$_['error_settings'] = 'This way to pay does not work at the moment. Please choose another.';
