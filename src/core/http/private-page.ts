import type { FastifyReply } from 'fastify'

/** Hides the URL of a page that its key opens from search engines, from sites that the page links to, and from shared caches. */
export function keepPrivate(reply: FastifyReply) {
  reply.headers({ 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' })
}
