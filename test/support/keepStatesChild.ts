// Applies the blocks of packages one after another and tells each: to be killed while it does.
import { openLocalStates } from '../../src/cli/index/openChain.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { ArchiveFolder } from '../../src/node/archive/ArchiveFolder.ts'
import { createArchiveSource } from '../../src/node/archive/createArchiveSource.ts'

const [packages, folder, ...stateFiles] = process.argv.slice(2)
const source = createArchiveSource(new ArchiveFolder({ location: packages! }))
const blockSets = createBlockSetSource(source)
const states = await openLocalStates(folder!, { stateFiles, source, blockSets, checkpointEvery: 20 })
const { signal } = new AbortController()
const head = await source.getHead()
for (let seqno = 1; seqno <= head.seqno; seqno++) {
  await states.openAt(seqno, signal)
  console.log(seqno)
}
