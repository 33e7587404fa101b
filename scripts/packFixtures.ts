// node --import tsx scripts/packFixtures.ts [--from ../shared/fixtures/localnet]
// Packs the recorded local network into test/fixtures, where the tests take it from (test/support/localnetArchive.ts). The same
// recording gives the same archives.
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, constants as zlib } from 'node:zlib'
import { archiveFolder, HASH_LIST, hashOf, listRecording } from '../test/support/localnetArchive.ts'
import { type TarFile, writeTar } from '../test/support/tar.ts'

/** Which of the two archives a file belongs to: blocks repeat each other, and so do answers. */
const isAnswer = (path: string): boolean => /^localnet\/(api-v2|liteserver)\//.test(path)

const pack = (name: string, files: readonly TarFile[]): string => {
  const tar = writeTar(files)
  const bytes = brotliCompressSync(tar, {
    params: {
      [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY,
      [zlib.BROTLI_PARAM_LGWIN]: zlib.BROTLI_MAX_WINDOW_BITS,
      [zlib.BROTLI_PARAM_SIZE_HINT]: tar.length,
    },
  })
  writeFileSync(join(archiveFolder, name), bytes)
  console.log(`${name}: ${files.length} files, ${tar.length} bytes, packed ${bytes.length}`)
  return `${hashOf(bytes)}  ${name}\n`
}

const { values } = parseArgs({ options: { from: { type: 'string' } } })
const files = listRecording(resolve(values.from ?? join(import.meta.dirname, '../../shared/fixtures/localnet')))
const lines = [
  pack(
    'localnet-answers.tar.br',
    files.filter(({ path }) => isAnswer(path)),
  ),
  pack(
    'localnet-chain.tar.br',
    files.filter(({ path }) => !isAnswer(path)),
  ),
]
writeFileSync(join(archiveFolder, HASH_LIST), lines.join(''))
