/** Style sheets are put together by the build; as modules they say nothing. */
declare module '*.css' {}
