# frozen_string_literal: true

# Serves examples/languages/shop.rb as a server of Rack does. Ruby brings none along.
require 'socket'
require 'stringio'
require_relative '../../examples/languages/shop'

$stdout.sync = true
server = TCPServer.new('localhost', ENV.fetch('PORT').to_i)
loop do
  client = server.accept
  method, path = client.gets.split
  env = { 'REQUEST_METHOD' => method, 'PATH_INFO' => path }
  until (line = client.gets.chomp).empty?
    name, value = line.split(': ', 2)
    env["HTTP_#{name.upcase.tr('-', '_')}"] = value
  end
  length = env['HTTP_CONTENT_LENGTH'].to_i
  # Since Rack 3 there is none where a request has no body.
  env['rack.input'] = StringIO.new(client.read(length)) if length.positive?
  status, headers, body =
    begin
      SHOP.call(env)
    rescue StandardError
      [500, {}, []]
    end
  client.write("HTTP/1.1 #{status} -\r\n", headers.map { |name, value| "#{name}: #{value}\r\n" }.join,
               "connection: close\r\n\r\n", *body)
  client.close
end
