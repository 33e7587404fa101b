// Bundles the pages for the package, into dist/explorer. Part of npm run build.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE_INDEX } from '../src/cli/serve/pages/Bundle.ts'
import { bundlePages } from '../src/cli/serve/pages/bundlePages.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'dist/explorer')
const { files, entries } = await bundlePages(join(root, 'src/explorer'))
mkdirSync(folder, { recursive: true })
for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
writeFileSync(join(folder, BUNDLE_INDEX), JSON.stringify({ names: [...files.keys()], entries }))
