import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { repository } from './childScript.ts'
import { extractTar, readTar, type TarFile } from './tar.ts'

/** The recorded local network as the repository has it: archives, and a list of their hashes as `sha256sum` writes it. */
export const archiveFolder = join(repository, 'test/fixtures')
export const HASH_LIST = 'localnet.sha256'

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The archives that the list names, each with the hash that it must have. */
export const listArchives = (): { readonly name: string; readonly hash: string }[] =>
  readFileSync(join(archiveFolder, HASH_LIST), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [hash, name] = line.split('  ') as [string, string]
      return { name, hash }
    })

const unpackArchives = (folder: string): void => {
  for (const { name, hash } of listArchives()) {
    const bytes = readFileSync(join(archiveFolder, name))
    if (hashOf(bytes) !== hash) throw new Error(`${name} does not have the hash that ${HASH_LIST} lists.`)
    extractTar(brotliDecompressSync(bytes), folder)
  }
}

/**
 * The folder with the unpacked archives, by default in the cache of this clone. The first caller unpacks them into a folder of its own
 * and renames that, so processes that start together see all of it or nothing. New archives have new hashes and get a new folder.
 */
export const openLocalnet = (cache = join(repository, 'node_modules/.cache/chaincenter')): string => {
  const key = hashOf(readFileSync(join(archiveFolder, HASH_LIST))).slice(0, 16)
  const folder = join(cache, `localnet-${key}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.${process.pid}.${randomBytes(4).toString('hex')}`
  mkdirSync(unfinished, { recursive: true })
  try {
    unpackArchives(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    // Another process was first.
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

const NODE_DATABASE = 'node-db/node-db.tar.gz'

/** The files of the recording as it was made, under their paths in the archives, in order. Of the node's database only the packages. */
export const listRecording = (folder: string): TarFile[] => {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
  const files = paths
    .filter((path) => path !== NODE_DATABASE && statSync(join(folder, path)).isFile())
    .map((path) => ({ path: `localnet/${path}`, data: readFileSync(join(folder, path)) }))
  const packages = Array.from(readTar(gunzipSync(readFileSync(join(folder, NODE_DATABASE)))))
    .filter(({ path }) => path.endsWith('.pack'))
    .map(({ path, data }) => ({ path: `localnet/node-db/${path.replace(/^\.\//, '')}`, data }))
  return [...files, ...packages].sort((a, b) => (a.path < b.path ? -1 : 1))
}
