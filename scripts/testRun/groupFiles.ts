/** Folders whose tests do no harm to each other in one process: it loads the modules, warms up and unpacks recordings once. */
const SHARED = [
  'scripts/',
  'src/adnl/',
  'src/api/',
  'src/chain/',
  'src/cli/',
  'src/client/',
  'src/codec/',
  'src/config/',
  'src/contracts/',
  'src/debug/',
  'src/devnet/',
  'src/explorer/',
  'src/gateway/',
  'src/indexer/',
  'src/metadata/',
  'src/node/',
  'src/observe/',
  'src/pending/',
  'src/primitives/',
  'src/store/',
  'src/streaming/',
  'src/testing/',
  'src/tvm/',
  'src/webhooks/',
  'test/actions/',
  'test/codec/',
  'test/conformance/',
  'test/debug/',
  'test/devnet/',
  'test/emulate/',
  'test/gateway/',
  'test/node/',
  'test/support/',
  'test/testing/',
  'test/tvm/',
  'test/v2/',
  'test/v3/',
  'test/webhooks/',
]
const LARGEST_GROUP = 12
/** A file or a group that takes longer is not joined by others. */
const LONG_SECONDS = 20
/** Of a file that is not listed. One with a process of its own may be new and long: it does not begin last. */
const SHORT_SECONDS = 0.5
const NEW_SECONDS = 12

export type FileSeconds = Readonly<Record<string, number>>

/** The seconds of files that take longer than most, the longest first, for test/longest.json. */
export const formatSeconds = (seconds: ReadonlyMap<string, number>): string => {
  const known = [...seconds].map(([file, each]) => [file, Math.round(each)] as const).filter(([, each]) => each > 0)
  return `${JSON.stringify(Object.fromEntries(known.toSorted((a, b) => b[1] - a[1])), undefined, 2)}\n`
}

/** Files that run in one process, and those that have one for themselves. The longest come first, so that none is left at the end. */
export const groupFiles = (files: readonly string[], seconds: FileSeconds = {}): readonly (readonly string[])[] => {
  const groups: { readonly files: string[]; seconds: number }[] = []
  const open = new Map<string, (typeof groups)[number]>()
  for (const file of files) {
    const home = SHARED.find((shared) => file.startsWith(shared))
    const own = seconds[file.replace(/\.js$/, '.ts')] ?? (home === undefined ? NEW_SECONDS : SHORT_SECONDS)
    const folder = own < LONG_SECONDS ? home : undefined
    let group = folder === undefined ? undefined : open.get(folder)
    if (group === undefined || group.files.length === LARGEST_GROUP || group.seconds > LONG_SECONDS) {
      group = { files: [], seconds: 0 }
      groups.push(group)
      if (folder !== undefined) open.set(folder, group)
    }
    group.files.push(file)
    group.seconds += own
  }
  return groups.toSorted((a, b) => b.seconds - a.seconds).map((group) => group.files)
}
