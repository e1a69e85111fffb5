/** WordPress with WooCommerce, the plug-in, and the storefront of the tests. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Place, run, unpackPlugin } from '../php.ts'
import { wordpress } from './place.ts'

/** WooCommerce itself, or where there is none, the double. */
const woocommerce = process.env.PAYWINDOW_WOOCOMMERCE

/** Makes a folder that PHP serves. */
export function installWordPress({ databasePort, url, payments }: Place): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-wordpress-'))
  cpSync(wordpress.folder, folder, { recursive: true, verbatimSymlinks: true })
  const content = join(folder, 'content')
  for (const name of ['plugins', 'mu-plugins', 'themes']) mkdirSync(join(content, name), { recursive: true })
  if (woocommerce) symlinkSync(woocommerce, join(content, 'plugins/woocommerce'))
  else cpSync(join(import.meta.dirname, 'double.php'), join(content, 'plugins/woocommerce/woocommerce.php'))
  unpackPlugin('paywindow-woocommerce.zip', join(content, 'plugins'))
  cpSync(join(import.meta.dirname, 'storefront.php'), join(content, 'mu-plugins/storefront.php'))
  rmSync(join(folder, 'wp-config.php'), { force: true })
  writeFileSync(
    join(folder, 'wp-config.php'),
    `<?php
    define('DB_NAME', 'shop');
    define('DB_USER', 'root');
    define('DB_PASSWORD', '');
    define('DB_HOST', '127.0.0.1:${databasePort}');
    define('WP_HOME', '${url}');
    define('WP_SITEURL', '${url}');
    define('WP_CONTENT_DIR', '${content}');
    define('WP_CONTENT_URL', '${url}/content');
    define('WP_HTTP_BLOCK_EXTERNAL', true);
    define('DISABLE_WP_CRON', true);
    define('ABSPATH', __DIR__ . '/');
    $table_prefix = 'wp_';
    $_SERVER['HTTPS'] = ($_SERVER['HTTP_X_FORWARDED_PROTO'] ?? '') === 'https' ? 'on' : 'off';
    require ABSPATH . 'wp-settings.php';`,
  )
  const { page, linkSecret, eventsSecret } = payments
  const settings = { enabled: 'yes', test: 'yes', title: 'Coins', description: 'Choose one.', page }
  php(
    folder,
    `define('WP_INSTALLING', true);
    $_SERVER['HTTP_HOST'] = 'localhost';
    function wp_mail() { return true; }
    require '${folder}/wp-load.php';
    require ABSPATH . 'wp-admin/includes/upgrade.php';
    wp_install('Lantern Books', 'admin', 'admin@shop.example', true, '', 'a password');
    update_option('active_plugins', ['paywindow/paywindow-woocommerce.php', 'woocommerce/woocommerce.php']);`,
  )
  const stored = JSON.stringify({ ...settings, link_secret: linkSecret, events_secret: eventsSecret })
  php(
    folder,
    `$_SERVER['HTTP_HOST'] = 'localhost';
    require '${folder}/wp-load.php';
    if (class_exists('WC_Install')) { WC_Install::install(); }
    update_option('woocommerce_paywindow_settings', json_decode('${stored}', true));
    update_option('blog_public', 0);`,
  )
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

function php(folder: string, code: string): string {
  return run('php', ['-d', `error_log=${join(folder, 'log')}`, '-d', 'memory_limit=512M'], `<?php ${code}`)
}
