import { readFileSync } from 'node:fs'

/** The version in package.json, which lies two folders up both from src/cli and from dist/cli. */
export const readVersion = (): string => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return manifest.version
}
