import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rulesWithNames } from '../../../test/support/webServer.ts'
import { buildMetadata, refusePicture } from './buildMetadata.ts'

const fetchRules = { ...rulesWithNames(), allowHttp: false }
const rules = { refusePicture: (image: string) => refusePicture(image, fetchRules), imageProxy: undefined }
const nothing = { name: undefined, description: undefined, symbol: undefined, image: undefined, extra: {} }

test('what the chain says wins, key by key; what is no text is kept beside', () => {
  const content = { uri: 'https://x.test/j.json', name: 'On chain', decimals: '9', image_data: 'AAAA' }
  const document = {
    name: 'Elsewhere',
    symbol: 'SYM',
    description: { long: true },
    image: 'https://x.test/i.png',
    decimals: 18,
    social: ['a', 'b'],
    websites: null,
  }
  assert.deepEqual(buildMetadata('jetton_masters', content, document, rules), {
    valid: true,
    name: 'On chain',
    description: undefined,
    symbol: 'SYM',
    image: 'https://x.test/i.png',
    extra: {
      uri: 'https://x.test/j.json',
      decimals: '9',
      image_data: 'AAAA',
      description: { long: true },
      social: ['a', 'b'],
      websites: null,
    },
    error: undefined,
  })
  // Not even a value of another kind takes its place.
  const { name, extra } = buildMetadata('nft_items', { name: 'x' }, { name: 5, symbol: 'S', decimals: 6 }, rules)
  assert.deepEqual([name, extra], ['x', { symbol: 'S', decimals: '6' }])
})

test('when it is enough', () => {
  const jetton = (content: Record<string, string>, document?: Record<string, string>) =>
    buildMetadata('jetton_masters', content, document, rules)
  assert.equal(jetton({ symbol: 'S' }).valid, true)
  assert.deepEqual(jetton({}, { name: 'no symbol' }), {
    ...nothing,
    name: 'no symbol',
    valid: false,
    error: 'Symbol missing.',
  })
  assert.equal(jetton({ symbol: '' }).valid, false)
  const item = (content: Record<string, string> | undefined, document?: Record<string, string>) =>
    buildMetadata('nft_items', content, document, rules).valid
  assert.equal(item({ uri: 'https://x.test/' }, {}), true)
  assert.equal(item({ uri: 'https://x.test/' }), false)
  assert.equal(item({ name: 'x' }), true)
  assert.equal(item({}), false)
  assert.equal(item(undefined), false)
})

test('pictures', () => {
  const imageOf = (image: string) => {
    const { image: kept, error } = buildMetadata('nft_items', {}, { image }, rules)
    return kept ?? error ?? ''
  }
  const inline = ['png', 'jpeg', 'gif', 'webp', 'avif'].map((type) => `data:image/${type};base64,AAAA`)
  const kept = ['https://x.test/a.png', 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/1.png', ...inline]
  for (const image of kept) assert.equal(imageOf(image), image)
  const left = 'Image omitted: '
  assert.equal(imageOf('  '), '')
  assert.equal(imageOf('http://x.test/a.png'), `${left}The URL scheme http: is not allowed.`)
  assert.equal(imageOf('javascript:alert(1)'), `${left}The URL scheme javascript: is not allowed.`)
  assert.equal(imageOf('image.png'), `${left}Expected a URL, got "image.png".`)
  assert.equal(imageOf('https://169.254.169.254/'), `${left}169.254.169.254 is not a public address.`)
  // Such a picture may hold scripts, and runs them where a page opens it by itself.
  for (const type of [
    'image/svg+xml;base64',
    'IMAGE/SVG+XML',
    'image/svg+xml;charset=utf-8',
    'image/xml',
    'text/html',
  ]) {
    const text = `data:${type},<svg onload="alert(1)"/>`
    assert.equal(imageOf(text), `${left}A data URI must hold PNG, JPEG, GIF, WebP, AVIF, BMP or ICO.`, text)
  }
  assert.match(imageOf('ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG/..%2f..'), /^Image omitted/)
  assert.equal(imageOf(`data:image/png,${'a'.repeat(40_000)}`), `${left}It is longer than 32768 characters.`)
  assert.equal(imageOf(`https://x.test/${'a'.repeat(5000)}`), `${left}It is longer than 4096 characters.`)
})

test('an image proxy has smaller copies, and nobody else can name them', () => {
  const withProxy = { ...rules, imageProxy: new URL('https://proxy.test/insecure/') }
  const forged = { _image_small: 'https://evil.test/', _image_big_blur: 'x', _image_other: 'kept' }
  const document = { image: 'https://x.test/я.png', ...forged }
  assert.deepEqual(buildMetadata('nft_items', {}, document, withProxy).extra, {
    _image_other: 'kept',
    _image_small: 'https://proxy.test/insecure/pr:small/aHR0cHM6Ly94LnRlc3Qv0Y8ucG5n',
    _image_medium: 'https://proxy.test/insecure/pr:medium/aHR0cHM6Ly94LnRlc3Qv0Y8ucG5n',
    _image_big: 'https://proxy.test/insecure/pr:big/aHR0cHM6Ly94LnRlc3Qv0Y8ucG5n',
  })
  assert.deepEqual(buildMetadata('nft_items', {}, document, rules).extra, { _image_other: 'kept' })
  assert.deepEqual(buildMetadata('nft_items', {}, { image: 'data:image/png,x' }, withProxy).extra, {})
})

test('a row stays small, and says what it left out', () => {
  const document = {
    name: 'я'.repeat(5000),
    description: '😀'.repeat(3000),
    big: 'x'.repeat(40_000),
    small: 'y',
    ['k'.repeat(300)]: 1,
    fits: 'z'.repeat(32_000),
    last: 'w'.repeat(1000),
  }
  const { name, description, extra, error } = buildMetadata('nft_items', {}, document, rules)
  assert.equal(name, 'я'.repeat(4096))
  assert.equal(description, '😀'.repeat(2048))
  assert.deepEqual(Object.keys(extra), ['small', 'fits'])
  assert.equal(error, 'name truncated. description truncated. Omitted as too long: 3 values.')
})
