/** Every build, and the unit tests, by mode: `scripts/build.ts` runs the builds in turn. Each has its own file in scripts/targets. */
import { defineConfig } from 'vitest/config'
import { demo } from './scripts/targets/demo.ts'
import { developer } from './scripts/targets/developer.ts'
import { element } from './scripts/targets/element.ts'
import { gallery } from './scripts/targets/gallery.ts'
import { playground } from './scripts/targets/playground.ts'
import { react } from './scripts/targets/react.ts'
import { script } from './scripts/targets/script.ts'
import { server } from './scripts/targets/server.ts'
import { tests } from './scripts/targets/tests.ts'

const targets = new Map(
  Object.entries({
    react,
    element,
    script,
    developer,
    server,
    demo: demo('production'),
    'demo-development': demo('development'),
    gallery,
    playground,
  }),
)

// Tools that read this file for the tests name no mode of ours.
export default defineConfig(({ mode }) => targets.get(mode) ?? tests)
