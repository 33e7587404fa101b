// Bundles the pages for the package, into dist/explorer. Part of npm run build.
import { join } from 'node:path'
import { writePages } from './writePages.ts'

const root = join(import.meta.dirname, '..')
await writePages(root, join(root, 'dist/explorer'))
