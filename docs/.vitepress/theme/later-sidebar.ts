/** The sidebar of the default theme, which takes as long to start as all the rest. Its links work before. */
import VPSidebar from 'vitepress/dist/client/theme-default/components/VPSidebar.vue'
import { defineAsyncComponent } from 'vue'
import { atFirstSign } from './first-sign.ts'

export default defineAsyncComponent({ loader: async () => VPSidebar, hydrate: atFirstSign })
