import { basename, join, relative } from 'node:path'
import { type BuildOptions, build, type Metafile, stop } from 'esbuild'
import { type Bundle, type BundledEntry, type PageEntry, pageEntries } from './Bundle.ts'

/** Bundles the page scripts from their sources: in a clone on the first request, and for the package. */
export const bundlePages = async (sources: string): Promise<Bundle> => {
  const { theme, ...modules } = pageEntries
  // The theme is applied before anything else is loaded: it is a script of its own, not a module, and waits for none.
  const built = await Promise.all([
    build({ ...optionsFor(sources), entryPoints: { theme }, format: 'iife' }),
    build({ ...optionsFor(sources), entryPoints: modules, format: 'esm', splitting: true }),
  ])
  // esbuild runs as a child process, which would keep running.
  await stop()
  const files = built.flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, contents }) => [basename(path), contents] as const),
  )
  const outputs = Object.assign({}, ...built.map(({ metafile }) => metafile.outputs)) as Metafile['outputs']
  const names = Object.keys(pageEntries) as PageEntry[]
  const entries = Object.fromEntries(names.map((name) => [name, findEntry(outputs, sources, pageEntries[name])]))
  return { files: new Map(files), entries }
}

const optionsFor = (sources: string) =>
  ({
    absWorkingDir: sources,
    outdir: 'out',
    write: false,
    bundle: true,
    minify: true,
    metafile: true,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file' },
    legalComments: 'none',
    logLevel: 'silent',
  }) as const satisfies BuildOptions

const findEntry = (outputs: Metafile['outputs'], sources: string, source: string): BundledEntry => {
  const [path, { cssBundle, imports }] = Object.entries(outputs).find(
    ([, { entryPoint }]) => entryPoint !== undefined && relative(sources, join(sources, entryPoint)) === source,
  )!
  return {
    script: basename(path),
    style: cssBundle === undefined ? undefined : basename(cssBundle),
    parts: imports.filter(({ kind }) => kind === 'import-statement').map((each) => basename(each.path)),
  }
}
