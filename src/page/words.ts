/** Texts that only pages of the server have: no browser loads them. */
import { type Language, languageOf } from '../locales/languages.ts'

const en = {
  go: 'Continue',
  between: 'From {min} to {max}',
  scan: 'Scan to pay',
  next: 'Next payment',
}

/** By name. */
export type Words = typeof en

const all: Readonly<Record<Language, Words>> = {
  ar: { go: 'متابعة', between: 'من {min} إلى {max}', scan: 'امسح للدفع', next: 'الدفعة التالية' },
  de: { go: 'Weiter', between: 'Von {min} bis {max}', scan: 'Zum Bezahlen scannen', next: 'Nächste Zahlung' },
  en,
  es: { go: 'Continuar', between: 'De {min} a {max}', scan: 'Escanea para pagar', next: 'Siguiente pago' },
  fr: { go: 'Continuer', between: 'De {min} à {max}', scan: 'Scannez pour payer', next: 'Paiement suivant' },
  he: { go: 'המשך', between: 'מ־{min} עד {max}', scan: 'יש לסרוק כדי לשלם', next: 'התשלום הבא' },
  hi: { go: 'आगे बढ़ें', between: '{min} से {max} तक', scan: 'भुगतान के लिए स्कैन करें', next: 'अगला भुगतान' },
  id: {
    go: 'Lanjutkan',
    between: 'Dari {min} hingga {max}',
    scan: 'Pindai untuk membayar',
    next: 'Pembayaran berikutnya',
  },
  it: { go: 'Continua', between: 'Da {min} a {max}', scan: 'Scansiona per pagare', next: 'Pagamento successivo' },
  ja: { go: '次へ', between: '{min}〜{max}', scan: 'スキャンして支払う', next: '次の支払い' },
  ko: { go: '계속', between: '{min}부터 {max}까지', scan: '스캔하여 결제', next: '다음 결제' },
  nl: { go: 'Verder', between: 'Van {min} tot {max}', scan: 'Scan om te betalen', next: 'Volgende betaling' },
  pl: { go: 'Dalej', between: 'Od {min} do {max}', scan: 'Zeskanuj, aby zapłacić', next: 'Następna płatność' },
  'pt-BR': { go: 'Continuar', between: 'De {min} a {max}', scan: 'Escaneie para pagar', next: 'Próximo pagamento' },
  ru: {
    go: 'Продолжить',
    between: 'От {min} до {max}',
    scan: 'Отсканируйте, чтобы оплатить',
    next: 'Следующий платёж',
  },
  tr: { go: 'Devam', between: 'En az {min}, en çok {max}', scan: 'Ödemek için tarayın', next: 'Sonraki ödeme' },
  uk: { go: 'Продовжити', between: 'Від {min} до {max}', scan: 'Відскануйте, щоб сплатити', next: 'Наступний платіж' },
  vi: { go: 'Tiếp tục', between: 'Từ {min} đến {max}', scan: 'Quét để thanh toán', next: 'Khoản thanh toán tiếp theo' },
  'zh-Hans': { go: '继续', between: '{min} 至 {max}', scan: '扫码支付', next: '下一笔付款' },
  'zh-Hant': { go: '繼續', between: '{min} 至 {max}', scan: '掃碼付款', next: '下一筆付款' },
}

/** Words for a locale. */
export function wordsFor(locale: string): Words {
  return all[languageOf(locale) ?? 'en']
}
