# frozen_string_literal: true

# Calls examples/languages/paywindow.rb as standard input says, and prints what each call gave.
require 'json'
require_relative '../../examples/languages/paywindow'

def call(now, each)
  case each['does']
  when 'sign' then Paywindow.link_signature(each['payload'], each['secret'])
  when 'link'
    names = { 'exp' => :expires_at, 'returnUrl' => :return_url }
    named = each['claims'].transform_keys { |name| names.fetch(name, name.to_sym) }
    Paywindow.payment_link(page: each['page'], secret: each['secret'], now: now, **named)
  else Paywindow.verify_event(each['body'].b, each['headers'], each['secrets'], now: now)
  end
end

now, calls = JSON.parse($stdin.read).values_at('now', 'calls')
results = calls.map do |each|
  { value: call(now, each) }
rescue Paywindow::InvalidEvent => e
  { invalid: e.message }
rescue ArgumentError => e
  { error: e.message }
end
puts JSON.generate(results)
