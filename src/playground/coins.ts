/** For pages that show the widget without any server: draws the icons of known coins. */
import { drawCoin } from '../server/icons/coins/coin-icons.ts'
import { servePictures } from './pictures.ts'

const folder = '/paywindow/icons/'

servePictures(
  ({ pathname }) => pathname.startsWith(folder),
  async ({ pathname }) => drawCoin(pathname.slice(folder.length)) ?? new Response(null, { status: 404 }),
)
