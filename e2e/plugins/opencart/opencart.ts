/** OpenCart with the plug-in, and the storefront of the tests. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Place, run, unpackPlugin } from '../php.ts'

/** A folder with OpenCart itself, its `upload`, or where there is none, the double. */
const opencart = process.env.PAYWINDOW_OPENCART
const here = import.meta.dirname

/** The ids that OpenCart is installed with. */
const statuses = {
  1: 'Pending',
  2: 'Processing',
  3: 'Shipped',
  5: 'Complete',
  7: 'Canceled',
  11: 'Refunded',
  12: 'Reversed',
}

/** Makes a folder that PHP serves. */
export function installOpenCart(place: Place): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'paywindow-opencart-'))
  const extension = join(folder, 'extension')
  if (opencart) cpSync(opencart, folder, { recursive: true })
  unpackPlugin('paywindow.ocmod.zip', join(extension, 'paywindow'))
  mkdirSync(join(extension, 'storefront/catalog/controller/payment'), { recursive: true })
  cpSync(join(here, 'storefront.php'), join(extension, 'storefront/catalog/controller/payment/shop.php'))
  const { page, linkSecret, eventsSecret } = place.payments
  const ids = { seen: 1, paid: 2, cancelled: 7, taken_back: 12 }
  const settings = {
    ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [`payment_paywindow_${name}_status_id`, id])),
    payment_paywindow_page: page,
    // As OpenCart stores what is typed.
    payment_paywindow_link_secret: linkSecret.replace('&', '&amp;').replace('"', '&quot;').replace('<', '&lt;'),
    payment_paywindow_events_secret: eventsSecret,
    payment_paywindow_status: 1,
    payment_paywindow_test: 1,
  }
  if (opencart) install(folder, place, settings)
  else prepareDouble(folder, place, settings)
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

type SettingsOfPlugin = Readonly<Record<string, string | number>>

/** As its installer does it, and its pages of extensions. */
function install(folder: string, { databasePort, url }: Place, settings: SettingsOfPlugin): void {
  for (const part of ['', 'admin/'])
    renameSync(join(folder, `${part}config-dist.php`), join(folder, `${part}config.php`))
  const options = { username: 'admin', email: 'admin@shop.example', password: 'password', http_server: `${url}/` }
  const database = {
    db_hostname: '127.0.0.1',
    db_username: 'root',
    db_password: '',
    db_database: 'shop',
    db_port: databasePort,
  }
  const args = Object.entries({ ...options, ...database }).flatMap(([name, value]) => [`--${name}`, `${value}`])
  const said = run('php', [join(folder, 'install/cli_install.php'), 'install', ...args])
  if (!said.includes('SUCCESS')) throw new Error(said)
  rmSync(join(folder, 'install'), { recursive: true })
  const rows = Object.entries(settings).map(([key, value]) => `(0, 'payment_paywindow', '${key}', '${value}', 0)`)
  sql(
    databasePort,
    `INSERT INTO oc_setting (store_id, code, \`key\`, value, serialized) VALUES ${rows.join(', ')};
    INSERT INTO oc_extension (extension, type, code) VALUES ('paywindow', 'payment', 'paywindow'), ('storefront', 'payment', 'shop');
    INSERT INTO oc_event SET code = 'storefront', description = '', status = 1, sort_order = 9,
      \`trigger\` = 'catalog/model/checkout/order.addHistory/after', action = 'extension/storefront/payment/shop.after';
    INSERT INTO oc_event SET code = 'storefront_mail', description = '', status = 1, sort_order = 0,
      \`trigger\` = 'catalog/model/checkout/order.addHistory/before', action = 'extension/storefront/payment/shop.before';
    UPDATE oc_setting SET value = '' WHERE \`key\` = 'config_mail_engine';
    UPDATE oc_currency SET value = 1, status = 1 WHERE code = 'EUR';`,
  )
}

function prepareDouble(folder: string, { databasePort, url }: Place, settings: SettingsOfPlugin): void {
  cpSync(join(here, 'double.php'), join(folder, 'index.php'))
  const own = { config_processing_status: [5, 1, 2, 12, 3], config_language: 'en-gb', config_url: `${url}/` }
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...settings, ...own, database_port: databasePort }))
  const texts = 'sku upc ean jan isbn mpn location variant override image model'.split(' ')
  sql(
    databasePort,
    `CREATE TABLE oc_product (product_id INT AUTO_INCREMENT PRIMARY KEY, quantity INT, subtract INT, status INT, price DECIMAL(15,4),
      manufacturer_id INT, shipping INT, date_added DATETIME, date_modified DATETIME, ${texts.map((name) => `\`${name}\` TEXT`)});
    CREATE TABLE oc_order (order_id INT AUTO_INCREMENT PRIMARY KEY, order_status_id INT DEFAULT 0, transaction_id VARCHAR(100) DEFAULT '',
      total DECIMAL(15,4), currency_code CHAR(3), currency_value DECIMAL(15,8));
    CREATE TABLE oc_order_product (order_id INT, product_id INT, quantity INT);
    CREATE TABLE oc_order_history (order_history_id INT AUTO_INCREMENT PRIMARY KEY, order_id INT, order_status_id INT, notify INT, comment TEXT);
    CREATE TABLE oc_order_status (order_status_id INT PRIMARY KEY, name TEXT);
    INSERT INTO oc_order_status VALUES ${Object.entries(statuses).map(([id, name]) => `(${id}, '${name}')`)};`,
  )
}

/** Whether test payments pay orders. */
export function setTest(folder: string, databasePort: number, isTest: boolean): void {
  const value = isTest ? 1 : 0
  if (opencart) {
    sql(databasePort, `UPDATE oc_setting SET value = ${value} WHERE \`key\` = 'payment_paywindow_test'`)
    return
  }
  const file = join(folder, 'settings.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...settings, payment_paywindow_test: value }))
}

function sql(port: number, statements: string): void {
  run('mariadb', ['--no-defaults', '-h127.0.0.1', `-P${port}`, '-uroot', 'shop'], statements)
}
