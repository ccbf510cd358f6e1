import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { startListening, stopListening } from './local-server.ts'

const accessKeyId = 'stand-in'
const secretAccessKey = 'stand-in-secret'
const bucket = 'images'

export type LocalBucket = { settings: Record<string, string>; close(): Promise<void> }

/**
 * Starts an S3 service on this machine with one bucket, in memory: PUT, GET and DELETE of objects by path, with the signatures of
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html checked, and the errors that S3 answers.
 */
export async function startLocalBucket(): Promise<LocalBucket> {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const answer = (status: number, content: string | Buffer = '') => response.writeHead(status).end(content)
    const refuse = (status: number, code: string) => answer(status, `<Error><Code>${code}</Code></Error>`)
    const [, name, ...rest] = (request.url ?? '').split('/')
    const key = rest.join('/')
    const problem = findSignatureProblem(request, body)
    if (problem) return refuse(403, problem)
    if (name !== bucket) return refuse(404, 'NoSuchBucket')
    const found = objects.get(key)
    if (request.method === 'PUT') {
      objects.set(key, body)
      return answer(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return answer(204)
    }
    return found ? answer(200, found) : refuse(404, 'NoSuchKey')
  })
  const port = await startListening(server)
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    close: () => stopListening(server),
  }
}

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const authorizationPattern =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/((\d{8})\/([\w-]+)\/s3\/aws4_request), ?SignedHeaders=([\w;-]+), ?Signature=(\w{64})$/

/** Returns the code of S3's refusal, or undefined. */
function findSignatureProblem({ headers, method, url }: IncomingMessage, body: Buffer): string | undefined {
  const [, id, scope = '', day = '', region = '', signedNames = '', signature] =
    authorizationPattern.exec(headers.authorization ?? '') ?? []
  if (id !== accessKeyId) return id === undefined ? 'AccessDenied' : 'InvalidAccessKeyId'
  const bodyHash = String(headers['x-amz-content-sha256'])
  if (bodyHash !== 'UNSIGNED-PAYLOAD' && bodyHash !== hash(body)) return 'XAmzContentSHA256Mismatch'
  const signedHeaders = signedNames.split(';').map((name) => `${name}:${headers[name] ?? ''}\n`)
  const request = [method, url, '', signedHeaders.join(''), signedNames, bodyHash].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(request)].join('\n')
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    `AWS4${secretAccessKey}`,
  )
  return createHmac('sha256', signingKey).update(text).digest('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}
