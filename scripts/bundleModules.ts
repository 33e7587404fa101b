import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Packages of several hundred modules each: to read them takes longer than most tests. */
const BUNDLED = ['kysely', 'typebox']

type Exports = Readonly<Record<string, { readonly import: string }>>

/** The packages of a repository in another folder: links, but for large ones, which are bundled to a few files. */
export const bundleModules = async (root: string, target: string): Promise<void> => {
  mkdirSync(target)
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!BUNDLED.includes(name)) symlinkSync(join(root, 'node_modules', name), join(target, name))
  }
  for (const name of BUNDLED) await bundle(join(root, 'node_modules', name), join(target, name))
}

const bundle = async (source: string, target: string): Promise<void> => {
  const { exports } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as { exports: Exports }
  const names = Object.keys(exports)
  // Entry points share what they have in common, as the modules they are made of do.
  await build({
    entryPoints: names.map((name, k) => ({ in: join(source, exports[name]!.import), out: `entry${k}` })),
    outdir: target,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  })
  const entries = Object.fromEntries(names.map((name, k) => [name, `./entry${k}.js`]))
  writeFileSync(join(target, 'package.json'), JSON.stringify({ type: 'module', exports: entries }))
}
