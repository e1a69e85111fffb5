import { createApp } from 'vue'
import 'paywindow/element/vue'
import App from './App.vue'
import './shop.css'

// Whose cart it is, the server knows by its session.
const { reference } = await (await fetch('/cart')).json()
createApp(App, { reference }).mount('#shop')
