/** Files for the browser: scripts and styles with a hash in their names, cached forever. */
export type Bundle = {
  /** By their names. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** By the name of the entry. */
  readonly entries: { readonly [entry: string]: BundledEntry }
}

/** Names of files. */
export type BundledEntry = {
  readonly script: string
  readonly style: string | undefined
  /** Imports of the script, to preload. */
  readonly parts: readonly string[]
}

/** The names of the programs, and where in src/explorer each begins. */
export const pageEntries = {
  theme: 'theme/applyTheme.ts',
  explorer: 'main.tsx',
  reference: '../reference/main.tsx',
} as const satisfies Record<string, string>

export type PageEntry = keyof typeof pageEntries

/** The index file of the bundle in the package. */
export const BUNDLE_INDEX = 'bundle.json'
