'use client'
import { Paywindow } from 'paywindow'
import 'paywindow/styles.css'

export function Checkout(cart) {
  return <Paywindow endpoint="/paywindow" {...cart} />
}
