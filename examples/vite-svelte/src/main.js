import { mount } from 'svelte'
import 'paywindow/element/svelte'
import App from './App.svelte'
import './shop.css'

// Whose cart it is, the server knows by its session.
const { reference } = await (await fetch('/cart')).json()
mount(App, { target: document.getElementById('shop'), props: { reference } })
