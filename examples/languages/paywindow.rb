# frozen_string_literal: true

require 'json'
require 'openssl'

# Payment links and signed events of Paywindow, for a shop in Ruby 2.7 or later. Copy this file: it
# needs the standard library only.
module Paywindow
  # Controls, ends of lines, and characters that nobody sees or that turn the direction of others:
  # Cc, Cf, Zl, Zp and default ignorable in Unicode 17. Joiners may follow what is not ASCII.
  UNSEEN = Regexp.new(
    '[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f' \
    '\u0890-\u0891\u08e2\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b\u200e-\u200f' \
    '\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{110bd}' \
    '\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}' \
    '\u{e0000}-\u{e0fff}]' \
    '|(?:\A|[\u0000-\u007f])[\u200c\u200d\ufe0f]'
  ).freeze
  # The path has the characters of RFC 3986, and the host no user before it: shop.example@elsewhere.
  ADDRESS = %r{\Ahttps://[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][!#-;=?-\[\]_a-z~]*)?\z}.freeze
  PAGE = %r{\A(?:https://[A-Za-z0-9.-]+|http://(?:localhost|127\.0\.0\.1))(?::[0-9]{1,5})?/
            (?:[!$-;=@-\[\]_a-z~]*/)?pay/?\z}x.freeze
  AMOUNT = /\A(?=.*[1-9])(?:0|[1-9][0-9]{0,29})(?:\.[0-9]{1,18})?\z/.freeze

  MOST_BODY_BYTES = 1_048_576
  TOLERANCE_S = 300
  LONGEST_LINK_S = 366 * 86_400

  # An event that is not to be believed: answer 400. The message is the reason.
  class InvalidEvent < StandardError; end

  module_function

  # The address where an order is paid.
  #
  # page:: `page.url` of the payment server: https://pay.shop.example/paywindow/pay
  # secret:: its `linkSecret`
  # order:: your name for the order, which events repeat
  # expires_at:: when the link ends, in seconds since 1970
  # amount, asset:: the price, as text: '49.90' and 'EUR'. Neither, if your `offer` knows it
  # number:: what people call the order
  # return_url:: where the payer goes afterwards
  # now:: for tests
  #
  # Raises ArgumentError, which says what to do.
  def payment_link(page:, secret:, order:, expires_at:, amount: nil, asset: nil, number: nil, return_url: nil,
                   now: Time.now.to_i)
    check text?(page, 2000) && PAGE.match?(page),
          'page must be page.url of the payment server: https://pay.shop.example/paywindow/pay'
    check secret.is_a?(String) && length(secret) >= 32,
          'secret must be linkSecret of the payment server, 32 characters or more: openssl rand -hex 32'
    check text?(order, 200), 'order must be text of 1 to 200 characters that can be seen'
    check expires_at.is_a?(Integer) && expires_at > now && expires_at <= now + LONGEST_LINK_S,
          'exp must be in the next 366 days, in seconds since 1970'
    claims = { order: order, exp: expires_at }
    unless amount.nil? && asset.nil?
      check !amount.nil? && !asset.nil?, 'amount and asset belong together: give both, or neither'
      # A float has no cents: 0.1 + 0.2 is 0.30000000000000004.
      check text?(amount, 80) && AMOUNT.match?(amount),
            "amount must be text above zero such as '49.90', no float, sign, comma or exponent"
      check text?(asset, 32), "asset must be text of 1 to 32 characters such as 'EUR'"
      claims.update(amount: amount, asset: asset)
    end
    unless number.nil?
      check text?(number, 64), 'number must be text of 1 to 64 characters that can be seen'
      claims[:number] = number
    end
    unless return_url.nil?
      check text?(return_url, 1000) && ADDRESS.match?(return_url),
            'returnUrl must be an https address of at most 1000 characters, percent-encoded'
      claims[:returnUrl] = return_url
    end
    payload = base64url(JSON.generate(claims))
    "#{page}?link=#{payload}.#{link_signature(payload, secret)}"
  end

  # The part of a link's token behind the dot.
  def link_signature(payload, secret)
    base64url(OpenSSL::HMAC.digest('SHA256', secret.encode('UTF-8'), payload))
  end

  # The event of a request to your endpoint of events. An event can come twice: store its header
  # webhook-id with what it causes.
  #
  # body:: the raw body. What a framework has parsed and written again has another signature
  # headers:: of the request, in any spelling, each a text or a list, or the `env` of Rack
  # secrets:: whsec_…; two while one is changed
  # now:: seconds since 1970, for tests
  #
  # Raises InvalidEvent, and ArgumentError for a secret that is none.
  def verify_event(body, headers, secrets, now: Time.now.to_i)
    keys = Array(secrets).map { |secret| event_key(secret) }
    raise wrong_secret if keys.empty?

    check body.is_a?(String), 'body must be the raw bytes of the request'
    believe body.bytesize <= MOST_BODY_BYTES, 'the body is larger than 1 MiB'
    id, timestamp, signatures = %w[webhook-id webhook-timestamp webhook-signature].map { |name| header(headers, name) }
    believe timestamp.match?(/\A[0-9]{1,10}\z/), 'webhook-timestamp is no time in seconds'
    believe timestamp.to_i >= now - TOLERANCE_S, 'webhook-timestamp is more than 5 minutes ago'
    believe timestamp.to_i <= now + TOLERANCE_S, 'webhook-timestamp is more than 5 minutes ahead'
    signed = "#{id}.#{timestamp}.".b + body.b
    expected = keys.map { |key| "v1,#{[OpenSSL::HMAC.digest('SHA256', key, signed)].pack('m0')}" }
    believe expected.product(signatures.split(' ')).any? { |one, other| same?(one, other) },
            'webhook-signature matches no secret: it is another, or the body was changed'
    event = parse(body)
    believe event.is_a?(Hash), 'the body is no JSON object'
    event
  end

  def parse(body)
    # Rack gives bytes without an encoding.
    JSON.parse(body.dup.force_encoding(Encoding::UTF_8))
  rescue JSON::ParserError
    nil
  end

  def header(headers, name)
    # Rack calls webhook-id HTTP_WEBHOOK_ID.
    names = [name, "http-#{name}"]
    found = headers.select { |key, _| names.include?(key.to_s.downcase.tr('_', '-')) }
    values = found.to_a.flat_map { |_, value| value }
    believe values.length <= 1, "#{name} is there twice"
    believe values.first.is_a?(String) && !values.first.empty?, "#{name} is missing"
    values.first.b
  end

  def event_key(secret)
    raise wrong_secret unless secret.is_a?(String) && secret.start_with?('whsec_')

    text = secret.delete_prefix('whsec_')
    key = text.unpack1('m0')
    # With stray bits it may be cut off.
    raise wrong_secret unless [key].pack('m0') == text && key.bytesize.between?(24, 64)

    key
  rescue ArgumentError
    raise wrong_secret
  end

  def wrong_secret
    ArgumentError.new(
      'secrets must be one or more of whsec_ and base64 of 24 to 64 bytes, as the payment server has them'
    )
  end

  # Takes the same time wherever two texts differ. OpenSSL.secure_compare is younger than Ruby 2.7.
  def same?(one, other)
    one.bytesize == other.bytesize && one.bytes.zip(other.bytes).reduce(0) { |sum, (a, b)| sum | (a ^ b) }.zero?
  end

  def text?(value, most)
    value.is_a?(String) && length(value).between?(1, most) && !UNSEEN.match?(value.encode('UTF-8'))
  end

  # Counts as the payment server does, in UTF-16; 0 for what is no text in its encoding.
  def length(text)
    text.encode('UTF-16LE').bytesize / 2
  rescue EncodingError
    0
  end

  def base64url(bytes)
    [bytes].pack('m0').tr('+/', '-_').delete('=')
  end

  def check(is_right, message)
    raise ArgumentError, message unless is_right
  end

  def believe(is_right, reason)
    raise InvalidEvent, reason unless is_right
  end

  private_class_method :parse, :header, :event_key, :wrong_secret, :text?, :length, :base64url, :check, :believe
end
