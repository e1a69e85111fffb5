import { mount } from 'svelte'
import 'paywindow/element/svelte'
import App from './App.svelte'
import './shop.css'

mount(App, { target: document.getElementById('shop') })
