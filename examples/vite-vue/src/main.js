import { createApp } from 'vue'
import 'paywindow/element/vue'
import App from './App.vue'
import './shop.css'

createApp(App).mount('#shop')
