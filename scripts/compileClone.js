// Compiles the sources of a clone into a few files below node_modules/.cache, for bin/chaincenter.js: at `npm ci` (the script "prepare"),
// so that the first start finds them, and at a start after a change. Plain JavaScript: it runs before anything can read TypeScript.
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Compiled sources that nothing has started from for so long are removed. */
const UNUSED_MS = 24 * 3_600_000

/** Loaded where somebody asks for them, or not installed at all. */
const EXTERNAL = ['@ton/*', '@tonkite/*', 'esbuild', 'ioredis', 'pg-native', 'tsx']

/**
 * The compiled `src/cli/main.ts` of a clone: one that is there already, if no source has changed since, or a new one. `undefined` where
 * there is no compiler, or no place for the result. `onCompile` is called before the work that takes a while.
 */
export const compileClone = async (folder, onCompile = () => {}) => {
  try {
    const root = resolve(folder)
    const cache = join(root, 'node_modules/.cache/chaincenter')
    const files = listSources(root)
    const target = join(cache, keyOf(root, files))
    const main = pathToFileURL(join(target, 'src/cli/main.js')).href
    if (existsSync(target)) {
      utimesSync(target, new Date(), new Date())
      return main
    }
    onCompile()
    const pages = ['src/explorer', 'src/reference'].map((path) => join(root, path))
    await compile(root, target, files, pages)
    removeUnused(cache)
    return main
  } catch {
    // With an error in a source, tsx says which.
    return undefined
  }
}

/**
 * The same into a folder that is not there yet, with the pages that others have bundled. For scripts/compileTree.ts.
 * @public
 */
export const compileProgram = (root, target, explorer) => compile(root, target, listSources(root), [explorer])

/** Sources that belong to the program, relative to the root. Pages are bundled when a browser asks for them. */
const listSources = (root) =>
  readdirSync(join(root, 'src'), { recursive: true })
    .filter((path) => /\.(ts|sql)$/.test(path) && !/\.(test|bench|test-d)\.ts$/.test(path))
    .map((path) => join('src', path))
    .sort()

/** Changes with every change of a source, an installed package, the compiler, or the place. */
const keyOf = (root, files) => {
  const hash = createHash('sha256').update(`${root}\n`)
  for (const path of [...files, 'package.json', 'package-lock.json', 'scripts/compileClone.js']) {
    const { size, mtimeMs } = statSync(join(root, path))
    hash.update(`${path} ${size} ${mtimeMs}\n`)
  }
  return hash.digest('hex').slice(0, 16)
}

/** The result appears complete or not at all: several processes may start at the same time. */
const compile = async (root, target, files, pages) => {
  // The compiler ends soon; to collect its garbage costs more than the garbage.
  process.env['GOGC'] ??= 'off'
  const { build, stop } = await import('esbuild')
  const aside = `${target}.${process.pid}`
  const placed = new Map(
    files.filter((path) => path.endsWith('.ts')).flatMap((path) => placedSource(root, target, path)),
  )
  try {
    mkdirSync(aside, { recursive: true })
    await build({
      entryPoints: ['src/cli/main.ts', ...[...placed.values()].flatMap(({ entries }) => entries)].map((path) =>
        join(root, path),
      ),
      outbase: root,
      outdir: aside,
      chunkNames: 'chunks/[name]-[hash]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      legalComments: 'none',
      external: EXTERNAL,
      banner: {
        js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
      },
      logLevel: 'silent',
      plugins: [keepPlaces(placed)],
    })
    for (const path of files.filter((each) => each.endsWith('.sql'))) cpSync(join(root, path), join(aside, path))
    cpSync(join(root, 'package.json'), join(aside, 'package.json'))
    for (const path of pages) symlinkSync(path, join(aside, 'src', basename(path)), 'junction')
    renameSync(aside, target)
  } finally {
    rmSync(aside, { recursive: true, force: true })
    await stop()
  }
}

/** A source that looks for others by its own place: it is told the place it would have, were it compiled alone. */
const placedSource = (root, target, path) => {
  const text = readFileSync(join(root, path), 'utf8')
  if (!text.includes('import.meta.')) return []
  const place = join(target, path.replace(/\.ts$/, '.js'))
  const contents = text
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href))
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(place)))
    .replaceAll('import.meta.filename', JSON.stringify(place))
  // Threads and processes begin at modules that are named by their address.
  const entries = [...text.matchAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g)]
    .map(([, name]) => join(dirname(path), `${name}.ts`))
    .filter((entry) => existsSync(join(root, entry)))
  return [[join(root, path), { contents, entries }]]
}

const keepPlaces = (placed) => ({
  name: 'places',
  setup: ({ onLoad }) => {
    const names = [...placed.keys()].map((path) => path.replace(/[\\.*+?^${}()|[\]]/g, '\\$&'))
    onLoad({ filter: new RegExp(`^(${names.join('|')})$`) }, ({ path }) => ({
      contents: placed.get(path).contents,
      loader: 'ts',
    }))
  },
})

const removeUnused = (cache) => {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (Date.now() - statSync(path).mtimeMs > UNUSED_MS) rmSync(path, { recursive: true, force: true })
  }
}
