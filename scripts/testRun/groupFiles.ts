// Folders whose tests only compute: a process of their own would be spent mostly on starting.
const SHARED = [
  'src/primitives/',
  'src/codec/',
  'src/chain/',
  'src/contracts/',
  'src/config/',
  'src/store/reader/',
  'test/actions/',
  'test/codec/',
]
const LARGEST_GROUP = 12

/** Files that run in one process, and those that have one for themselves, in the order that was given. */
export const groupFiles = (files: readonly string[]): readonly (readonly string[])[] => {
  const groups: string[][] = []
  let folder: string | undefined
  for (const file of files) {
    const own = SHARED.find((shared) => file.startsWith(shared))
    const last = groups.at(-1)
    if (own !== undefined && own === folder && last !== undefined && last.length < LARGEST_GROUP) last.push(file)
    else groups.push([file])
    folder = own
  }
  return groups
}
