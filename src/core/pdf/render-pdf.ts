import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { tooManyRequestsError } from '../http/errors.ts'
import type { PdfAnswer } from './pdf-worker.ts'
import type { PdfDocument } from './tagged-pdf.ts'

/** Each waiting document is held in memory. */
const maxWaiting = 20
const maxHeapMegabytes = 384
const maxMilliseconds = 60_000
/** The worker holds the fonts and the library; when idle it ends. */
const idleMilliseconds = 60_000

let waiting = 0
let lastDrawn: Promise<unknown> = Promise.resolve()
let worker: Worker | null = null
let idleTimer: NodeJS.Timeout | undefined

/** Draws a document as a PDF file, one at a time, in a separate thread: it takes a second or two, and requests are still served. */
export async function renderPdf(document: PdfDocument): Promise<Buffer> {
  if (waiting >= maxWaiting) throw tooManyRequestsError('Too many files at once, please try again in a minute', 60)
  waiting += 1
  clearTimeout(idleTimer)
  const drawn = lastDrawn.then(() => drawInWorker(document))
  lastDrawn = drawn.catch(() => {})
  try {
    return await drawn
  } finally {
    waiting -= 1
    if (waiting === 0) idleTimer = setTimeout(endWorker, idleMilliseconds).unref()
  }
}

/** Forgets the worker at once: it takes a moment to end, and would lose a document that is asked for in it. */
function endWorker() {
  void worker?.terminate()
  worker = null
}

function drawInWorker(document: PdfDocument): Promise<Buffer> {
  worker ??= startWorker()
  const drawing = worker
  drawing.ref()
  return new Promise<Buffer>((resolve, reject) => {
    const timer = setTimeout(() => void drawing.terminate(), maxMilliseconds)
    const end = () => {
      clearTimeout(timer)
      drawing.off('message', take).off('error', fail).off('exit', exit).unref()
    }
    const take = (answer: PdfAnswer) => {
      end()
      if ('failed' in answer) reject(answer.failed)
      else resolve(Buffer.from(answer.file.buffer))
    }
    const fail = (error: unknown) => {
      end()
      reject(error)
    }
    const exit = () => fail(new Error('The file took too long to draw'))
    drawing.on('message', take).on('error', fail).on('exit', exit)
    drawing.postMessage(document)
  })
}

function startWorker(): Worker {
  const isBuilt = !import.meta.filename.endsWith('.ts')
  const started = new Worker(new URL(isBuilt ? './pdf-worker.mjs' : './pdf-worker.ts', import.meta.url), {
    execArgv: isBuilt ? [] : ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  })
  const forget = () => {
    if (worker === started) worker = null
  }
  // Without a listener an error would end the process.
  started.on('error', forget).on('exit', forget)
  return started
}
