/** The build bundles style sheets; as modules they export nothing. */
declare module '*.css' {}
