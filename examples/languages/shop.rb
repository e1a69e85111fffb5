# frozen_string_literal: true

# A shop in Ruby, for config.ru: require_relative 'shop'; run SHOP
require 'json'
require_relative 'paywindow'

# Your database. A total is text: to_s('F') of a BigDecimal, never of a Float.
ORDERS = { 'order-7' => { number: '2026-0007', total: '49.90' } }.freeze
# Your table of events. Here it is a file with a line for each.
EVENTS = ENV.fetch('EVENTS_FILE', 'events.jsonl')
# Whether this is a test shop: no money has moved for an event with test, and a live shop sends nothing for it.
IS_TEST = ENV['PAYWINDOW_TEST'] == 'yes'
# Signs the orders in addresses. With an empty one, everybody could.
ORDER_SECRET = ENV.fetch('ORDER_SECRET', '')
abort 'ORDER_SECRET is not set: make it with openssl rand -hex 32' if ORDER_SECRET.strip.empty?

# The status of an order, by the newest event of each of its payments. The first that fits counts.
STATUSES = {
  'paid' => %w[paid paid_twice],
  'stopped' => %w[taken_back],
  'held' => %w[seen short over late wrong_price],
  'cancelled' => %w[lapsed],
  'open' => %w[ended returned test]
}.freeze

# An order as its customer's pages and mails name it: anybody can guess order-7, and nobody else can sign it.
def signed(id)
  "#{id}.#{Paywindow.link_signature(id, ORDER_SECRET)}"
end

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
    return_url: "https://shop.example/orders/#{signed(id)}"
  )
end

# Takes an event of the payment server. Returns the answer for Rack.
def take_event(env)
  secrets = ENV.fetch('PAYWINDOW_EVENT_SECRETS').split
  # One byte more than an event may have is refused, and none after it is read.
  body = env['rack.input']&.read(Paywindow::MOST_BODY_BYTES + 1) || ''
  event = Paywindow.verify_event(body, env, secrets)
  order = event['data']['order']
  return [404, {}, ['There is no such order.']] unless ORDERS.key?(order)

  record(event)
  warn "TEST, no money has moved for #{order}: this shop is live, and does nothing." if refused?(event['data'])
  [204, {}, []]
rescue Paywindow::InvalidEvent => e
  [400, { 'content-type' => 'text/plain' }, [e.message]]
end

def refused?(data)
  data['test'] && !IS_TEST
end

# Yours: store an event. It can come twice, which changes nothing.
def record(event)
  File.open(EVENTS, 'a') do |file|
    # The end of the line comes first, so that half a line of a crash spoils no other.
    file.write("\n#{JSON.generate(event)}")
    file.fsync
  end
end

# What the newest event of each payment of an order says.
def payments(id)
  newest = Hash.new(['', ''])
  read_events(id).each do |type, data|
    kind = refused?(data) ? 'test' : type.delete_prefix('payment.')
    is_right = data['price'].values_at('asset', 'amount') == ['EUR', ORDERS[id][:total]]
    kind = 'wrong_price' if STATUSES['paid'].include?(kind) && !is_right
    last_at, last = newest[data['checkout']]
    # What was taken back stays so until it is paid again.
    is_next = last != 'taken_back' || STATUSES['paid'].include?(kind)
    known = STATUSES.values.flatten.include?(kind)
    # A lapse is told beside the news of a payment, perhaps by a server whose clock is ahead.
    is_new = data['at'] > last_at || (data['at'] == last_at && last != 'lapsed')
    at = kind == 'lapsed' ? last_at : data['at']
    newest[data['checkout']] = [at, kind] if known && is_new && is_next
  end
  newest.values.map(&:last).sort
end

def read_events(id)
  lines = File.exist?(EVENTS) ? File.readlines(EVENTS) : []
  events = lines.filter_map do |line|
    JSON.parse(line)
  rescue JSON::ParserError
    nil # Half a line of a crash: its event comes again.
  end
  events.filter_map { |event| event.values_at('type', 'data') if event['data']['order'] == id }
end

# What to do: see STATUSES.
def status(kinds)
  STATUSES.keys.find { |status| (STATUSES[status] & kinds).any? } || 'open'
end

SHOP = lambda do |env|
  _, name, id, pay = *%r{\A/orders/(([\w-]+)\.[\w-]+)(/pay)?\z}.match(env['PATH_INFO'])
  if env['REQUEST_METHOD'] == 'POST' && env['PATH_INFO'] == '/events' then take_event(env)
  elsif !ORDERS.key?(id) || !Paywindow.same?(signed(id), name) then [404, {}, []]
  elsif pay then [303, { 'location' => payment_link(id) }, []]
  else
    kinds = payments(id)
    [200, { 'content-type' => 'application/json' }, [JSON.generate(status: status(kinds), payments: kinds)]]
  end
end
