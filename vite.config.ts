/** Every build, by its mode for `scripts/build.ts`, and the unit tests. */
import { defineConfig } from 'vitest/config'
import { developer, element, page, react, server, wallet } from './scripts/targets/package.ts'
import { demo, gallery, playground } from './scripts/targets/pages.ts'
import { script } from './scripts/targets/script.ts'
import { tests } from './scripts/targets/tests.ts'

const targets = new Map(
  Object.entries({
    react,
    element,
    script,
    developer,
    wallet,
    server,
    page,
    demo: demo('production'),
    'demo-development': demo('development'),
    gallery,
    playground,
  }),
)

// Tools that read this file for the tests name no mode of ours.
export default defineConfig(({ mode }) => targets.get(mode) ?? tests)
