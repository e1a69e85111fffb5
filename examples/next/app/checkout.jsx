'use client'
import { Paywindow } from 'paywindow'
import 'paywindow/styles.css'

export function Checkout({ reference }) {
  return <Paywindow endpoint="/paywindow" reference={reference} />
}
