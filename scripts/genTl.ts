import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { tlSections } from '../src/codec/tl/constructors.ts'
import { generateTl } from './tl/generateTl.ts'

// Writes src/codec/tl/generated/ from the table of constructors; with --check it only says if anything would change.

const folder = new URL('../src/codec/tl/generated/', import.meta.url)

const readGenerated = async (): Promise<Map<string, string>> => {
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(new URL(name, folder), 'utf8')] as const)),
  )
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const wanted = generateTl(tlSections)
const present = await readGenerated()
const changed = [...new Set([...wanted.keys(), ...present.keys()])].filter(
  (name) => wanted.get(name) !== present.get(name),
)

if (values.check) {
  if (changed.length > 0) {
    console.error(
      `The generated TL differs from its table in ${changed.join(', ')}. Run scripts/genTl.ts and commit the result.`,
    )
    process.exitCode = 1
  } else {
    console.log(`The generated TL is up to date (${wanted.size} files).`)
  }
} else {
  for (const name of changed) {
    const text = wanted.get(name)
    if (text === undefined) await rm(new URL(name, folder))
    else await writeFile(new URL(name, folder), text)
  }
  console.log(`Wrote ${changed.length} of ${wanted.size} files of generated TL.`)
}
