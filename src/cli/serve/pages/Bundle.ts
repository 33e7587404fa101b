/** What the browser loads: scripts and styles with a hash in their names, so that they may be kept for ever. */
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
  /** What the script imports, to be asked for at once. */
  readonly parts: readonly string[]
}

/** The names of the programs, and where in src/explorer each begins. */
export const pageEntries = {
  theme: 'theme/applyTheme.ts',
  explorer: 'main.tsx',
  reference: '../reference/main.tsx',
} as const satisfies Record<string, string>

export type PageEntry = keyof typeof pageEntries

/** The file, beside the bundle in the package, that says what is in it. */
export const BUNDLE_INDEX = 'bundle.json'
