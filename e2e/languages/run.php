<?php

// Calls examples/languages/paywindow.php as standard input says, and prints what each call gave.
// Without strict types, as most shops: PHP then changes the types of what it is given.

require __DIR__ . '/../../examples/languages/paywindow.php';

['now' => $now, 'calls' => $calls] = json_decode(stream_get_contents(STDIN), true, 512, JSON_THROW_ON_ERROR);

function call(int $now, array $each): mixed
{
    if ($each['does'] === 'sign') {
        return Paywindow\linkSignature($each['payload'], $each['secret']);
    }
    if ($each['does'] === 'link') {
        ['page' => $page, 'secret' => $secret, 'claims' => $named] = $each;
        $named['expiresAt'] = $named['exp'];
        unset($named['exp']);
        return Paywindow\paymentLink($page, $secret, ...$named, now: $now);
    }
    // As a list, an empty object would be printed as one.
    return (object) Paywindow\verifyEvent($each['body'], $each['headers'], $each['secrets'], $now);
}

echo json_encode(array_map(function (array $each) use ($now) {
    try {
        return ['value' => call($now, $each)];
    } catch (Paywindow\InvalidEvent $error) {
        return ['invalid' => $error->getMessage()];
    } catch (InvalidArgumentException $error) {
        return ['error' => $error->getMessage()];
    }
}, $calls), JSON_THROW_ON_ERROR);
