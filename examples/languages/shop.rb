# frozen_string_literal: true

# A shop in Ruby, for config.ru: require_relative 'shop'; run SHOP
require_relative 'paywindow'

# Your database. A total is text: to_s('F') of a BigDecimal, never of a Float.
ORDERS = { 'order-7' => { number: '2026-0007', total: '49.90' } }.freeze

# Where an order is paid.
def payment_link(id)
  Paywindow.payment_link(
    page: ENV['PAYWINDOW_PAGE'], # https://pay.shop.example/paywindow/pay
    secret: ENV['PAYWINDOW_LINK_SECRET'],
    order: id,
    expires_at: Time.now.to_i + 7 * 86_400,
    amount: ORDERS[id][:total],
    asset: 'EUR',
    number: ORDERS[id][:number],
    return_url: "https://shop.example/orders/#{id}"
  )
end

# Takes an event of the payment server. Returns the answer for Rack.
def take_event(env)
  secrets = ENV.fetch('PAYWINDOW_EVENT_SECRETS').split
  # One byte more than an event may have is refused, and none after it is read.
  body = env['rack.input'].read(Paywindow::MOST_BODY_BYTES + 1) || ''
  event = Paywindow.verify_event(body, env, secrets)
  record(env['HTTP_WEBHOOK_ID'], event)
  [204, {}, []]
rescue Paywindow::InvalidEvent => e
  [400, { 'content-type' => 'text/plain' }, [e.message]]
end

# Yours: stores the id with what the event causes, in one transaction. An event can come twice.
def record(event_id, event)
  puts "#{event_id} #{event['type']} #{event['data']['order']}"
end

SHOP = lambda do |env|
  id = env['PATH_INFO'][%r{\A/orders/([\w-]+)/pay\z}, 1]
  if env['REQUEST_METHOD'] == 'POST' && env['PATH_INFO'] == '/events' then take_event(env)
  elsif ORDERS.key?(id) then [303, { 'location' => payment_link(id) }, []]
  else [404, {}, []]
  end
end
