// Checks the imports of src against scripts/walls/rules.ts. --root <folder> checks another tree.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findViolations } from './walls/findViolations.ts'

const { values } = parseArgs({ options: { root: { type: 'string' } } })
const root = resolve(values.root ?? join(import.meta.dirname, '..'))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Partial<
  Record<'dependencies' | 'optionalDependencies', Record<string, string>>
>
const packages = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })

const violations = findViolations(root, packages)
for (const violation of violations) console.error(violation)
if (violations.length > 0) {
  console.error(`${violations.length} imports break the walls; the table is in scripts/walls/rules.ts.`)
  process.exitCode = 1
}
